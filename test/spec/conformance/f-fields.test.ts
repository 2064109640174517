import { describe, expect, test } from 'vitest'
import { useConformance, versions } from '../../support/conformance.ts'

const server = useConformance()

interface Resource {
  readonly attributes?: object
  readonly relationships?: object
}

const fieldsOf = ({ attributes = {}, relationships = {} }: Resource): string[] =>
  [...Object.keys(attributes), ...Object.keys(relationships)].sort()

describe.each(versions)('sparse fieldsets on the server $name', (version) => {
  const get = (path: string) => server.get(version, path)

  test.each([
    ['F1', 'title', ['title']],
    ['F1', 'tags', ['tags']],
    ['F2', '', []],
    ['F3', 'title,tags', ['tags', 'title']],
  ])('%s: fields[posts]=%s leaves %j', async (_, fields, left) => {
    const { data } = (await get(`/posts/1?fields[posts]=${fields}`)).body
    expect({ type: data.type, id: data.id, fields: fieldsOf(data) }).toEqual({ type: 'posts', id: '1', fields: left })
    expect(
      ((await get(`/posts?fields[posts]=${fields}`)).body.data as Resource[]).every(
        (post) => fieldsOf(post).join() === left.join(),
      ),
    ).toBe(true)
  })

  test('F4 F7: they apply to what is included, and on related URLs', async () => {
    const { included } = (await get('/posts/1?include=author&fields[users]=name')).body
    expect(included.map(fieldsOf)).toEqual([['name']])
    expect(fieldsOf((await get('/posts/1/author?fields[users]=name')).body.data)).toEqual(['name'])
  })

  test('F5: a relation that is hidden is included all the same', async () => {
    const { data, included } = (await get('/posts/1?include=author&fields[posts]=title')).body
    expect({ fields: fieldsOf(data), types: included.map(({ type }: { type: string }) => type) }).toEqual({
      fields: ['title'],
      types: ['users'],
    })
  })

  test('F6: encoded brackets are brackets', async () => {
    const [encoded, plain] = [await get('/posts/1?fields%5Bposts%5D=title'), await get('/posts/1?fields[posts]=title')]
    expect(encoded.body).toEqual(plain.body)
  })

  test('F8: they are honoured where something is created', async () => {
    const attributes = { title: 'T', slug: `sparse-${version.name}`, [version.text]: 'C' }
    const body = { data: { type: 'posts', attributes } }
    const created = await server.ask(version, 'POST', '/posts?fields[posts]=slug', { body })
    expect({ status: created.status, fields: fieldsOf(created.body.data) }).toEqual({ status: 201, fields: ['slug'] })
  })

  test.each(['fields[posts]=nothing', 'fields[nothings]=title', 'fields[posts]=passwordHash'])(
    'F9: %s is 400',
    async (query) => expect((await get(`/posts?${query}`)).status).toBe(400),
  )
})
