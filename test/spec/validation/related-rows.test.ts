import { ResourceRequest, type RowOf, Schema, string, toMany, toOne } from 'prismapi'
import type { Validator } from 'prismapi/rules'
import type { Identifier } from 'prismapi/types'
import { describe, expect, test } from 'vitest'
import { openServer } from '../../support/open-server.ts'
import { identifier } from '../../support/row-documents.ts'
import { useServers } from '../../support/servers.ts'

const found: unknown[] = []

class Related extends ResourceRequest<'Post'> {
  override rules() {
    return { title: string().max(5), slug: string(), content: string(), author: toOne(), tags: toMany().max(2) }
  }
  override withValidator(validator: Validator) {
    const before = [this.toOne('author'), this.toMany('tags')].map((each) =>
      each.catch((error: Error) => error.message),
    )
    validator.after(async () => {
      const [author, tags] = await Promise.all(before)
      found.push({ author, tags })
      if (this.isModifyingRelationship()) {
        const name = this.getFieldName() as string
        const rows =
          name === 'tags' ? await this.toMany<RowOf<'Tag'>>(name) : [await this.toOne<RowOf<'User'>>(name as 'author')]
        found.push({ validated: this.validatedForRelation(), names: rows.map((row) => row?.name) })
        return
      }
      const user = await this.toOne('author')
      const names = (await this.toMany('tags')).map(({ name }) => name)
      found.push({ validated: this.validated(), user: user?.name, names })
    })
  }
}

const servers = useServers(() => ({
  policies: new Map(),
  servers: Object.entries({ related: { Post: Related } }).map(([name, classes]) =>
    openServer(
      name,
      { Post: Schema, Tag: Schema, User: Schema, Video: Schema, Comment: Schema },
      { requests: Object.fromEntries(Object.entries(classes).map(([model, request]) => [model, { request }])) },
    ),
  ),
}))

const ask = (method: string, path: string, data?: unknown) =>
  servers.as(null)(method, `/api/${path}`, data === undefined ? {} : { body: { data } })
const tag = (id: number) => identifier('tags', id)
const author = { data: identifier('users', 3) }
const nameOf = async (id: number) => (await servers.db.tag.findUniqueOrThrow({ where: { id } })).name

describe('toOne() and toMany() answer after validation has succeeded, and only then:', () => {
  const tooEarly = (call: string) => `${call} has no answer yet: it is known only after validation has succeeded.`
  const early = { author: tooEarly("toOne('author')"), tags: tooEarly("toMany('tags')") }
  const document = (title: string) => {
    const relationships = { author, tags: { data: [tag(5), tag(4)] } }
    return { type: 'posts', attributes: { title, slug: title.toLowerCase(), content: 'Text.' }, relationships }
  }

  test('on a creation', async () => {
    found.length = 0
    const sent = document('Short')
    expect((await ask('POST', 'related/posts', sent)).status).toBe(201)
    const validated = { ...sent.attributes, author: author.data, tags: [tag(5), tag(4)] }
    const { name: user } = await servers.db.user.findUniqueOrThrow({ where: { id: 3 } })
    expect(found).toEqual([early, { validated, user, names: [await nameOf(5), await nameOf(4)] }])
  })

  test('not when a rule has failed', async () => {
    found.length = 0
    expect((await ask('POST', 'related/posts', document('Too long a title'))).status).toBe(422)
    expect(found).toEqual([])
  })

  test.each([
    ['PATCH', 'tags', [tag(4), tag(6)] as Identifier[], 200],
    ['POST', 'tags', [tag(4)], 204],
    ['DELETE', 'tags', [tag(6)], 204],
    ['PATCH', 'author', identifier('users', 4) as Identifier, 200],
  ])('%s of %s, with validatedForRelation()', async (method, name, linkage, status) => {
    found.length = 0
    expect((await ask(method, `related/posts/2/relationships/${name}`, linkage)).status).toBe(status)
    const user = await servers.db.user.findUniqueOrThrow({ where: { id: 4 } })
    const names = Array.isArray(linkage) ? await Promise.all(linkage.map(({ id }) => nameOf(Number(id)))) : [user.name]
    expect(found).toEqual([early, { validated: linkage, names }])
  })
})
