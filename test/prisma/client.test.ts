import { isExtended } from '@prismapi/core/database/prisma/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { resources } from '../../prisma/generated/resources.ts'
import { type Example, openExample, user } from '../support/prisma-example.ts'

let example: Example
beforeAll(async () => {
  example = await openExample()
})
afterAll(() => example.close())

test('a client has a delegate for each model, named after it, inside of transactions as well', async () => {
  const names = Object.keys(resources.models).map((name) => name.charAt(0).toLowerCase() + name.slice(1))
  const delegates = (client: object) =>
    names.filter((name) => typeof Reflect.get(client, name)?.findMany === 'function')
  const renamed = 'The client names delegates otherwise: packages/core/src/database/prisma/client.ts finds none.'
  expect(delegates(example.writer), renamed).toEqual(names)
  expect(await example.writer.$transaction(async (inside) => delegates(inside)), renamed).toEqual(names)
})

test('an extension takes $on from a client', () => {
  expect(
    [example.writer, example.writer.$extends({})].map(isExtended),
    'Extended clients cannot be told from others, and statements would go past their extensions.',
  ).toEqual([false, true])
})

test('an operation begins when somebody waits for it, and says what it is', async () => {
  const operation = example.writer.tag.create({ data: { name: 'never' } })
  expect(
    Object.prototype.toString.call(operation),
    'Operations have another tag: packages/core/src/database/prisma/operation.ts is none to $transaction.',
  ).toBe('[object PrismaPromise]')
  expect(await example.writer.tag.count()).toBe(0)
})

test('an empty list of conditions means what conditions in one spelling suppose', async () => {
  await example.writer.user.createMany({ data: [user('per%cent'), user('plain')] })
  const count = (where: object) => example.writer.user.count({ where })
  const found = [{ OR: [] }, { AND: [] }, { NOT: [] }, { id: { in: [] } }, { name: { contains: '%' } }].map(count)
  expect(
    await Promise.all(found),
    'Prisma reads a where otherwise than packages/jsonapi/src/condition/prisma.ts writes it.',
  ).toEqual([0, 2, 2, 0, 2])
})
