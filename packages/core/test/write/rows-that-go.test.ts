import type { Plan } from '@prismapi/core/database/reader'
import type { ModelMeta } from '@prismapi/jsonapi/model/meta'
import { Spent } from '@prismapi/jsonapi/request/write-state'
import { expect, test } from 'vitest'
import { resources } from '../../../../prisma/generated/resources.ts'
import { payForRowsThatGo } from '../../src/write/rows-that-go.ts'
import type { WriteContext } from '../../src/write/write-context.ts'

const row = { id: 3, name: 'Member 3' }

/** The models that are asked, each time for a hundred rows; with the foreign keys of some that go with what they name. */
async function askedFor(cascading: readonly string[], limit = 1_000_000): Promise<readonly string[]> {
  const goes = (model: ModelMeta): ModelMeta => ({
    ...model,
    relations: Object.fromEntries(
      Object.entries(model.relations).map(([name, relation]) => [
        name,
        relation.foreignKey && cascading.includes(`${model.name}.${name}`)
          ? { ...relation, onDelete: 'Cascade' }
          : relation,
      ]),
    ),
  })
  const models = Object.fromEntries(Object.entries(resources.models).map(([name, model]) => [name, goes(model)]))
  const asked: string[] = []
  const unscoped = {
    async read({ model }: Plan & { readonly model: string }) {
      asked.push(model)
      return Array.from({ length: 100 }, () => ({}))
    },
  }
  const ctx = { server: { resources: { ...resources, models } }, rows: { unscoped }, spent: new Spent(limit) }
  await payForRowsThatGo(ctx as unknown as WriteContext, models.User as ModelMeta, row)
  return asked
}

test('rows that name the row go with it, and what names these', async () => {
  expect(await askedFor([])).toEqual(['Profile'])
  expect(await askedFor(['Post.author', 'Comment.post'])).toEqual(['Profile', 'Post', 'Tag', 'Comment'])
})

test('what costs more than is left ends the count', async () => {
  await expect(askedFor(['Post.author', 'Comment.post'], 250 * 80)).rejects.toMatchObject({ status: 400 })
})
