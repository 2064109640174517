import { expect, test } from 'vitest'
import { signToken } from '../../../src/app/auth.ts'
import UserSchema from '../../../src/app/v1/user.schema.ts'
import { fieldServers } from '../../support/field-policies.ts'
import { inPlace } from '../../support/openapi-in-place.ts'
import { browserOf } from '../../support/pages.ts'
import { useServers } from '../../support/servers.ts'

class Telling extends UserSchema {
  override showsCan = true
}

const api = useServers(async () => {
  const { policies, servers } = await fieldServers()
  const [first, ...others] = servers
  if (!first) throw new Error('The example has no server.')
  const schemas = new Map([...first.schemas, ['User', Telling]] as const)
  return { policies, production: false, servers: [{ ...first, schemas: schemas as never }, ...others] }
})
const get = (as: number | null, path: string, accept = 'application/vnd.api+json') =>
  api.as(as)('GET', path, { headers: { Accept: accept } })

test('meta.can names the fields that may be changed, where that is not all of them', async () => {
  const can = async (as: number, id: number) => (await get(as, `/api/v1/users/${id}`)).body.data.meta.can.update
  // What has no validation rule for a member would be ignored: its role, what it has written.
  expect(await can(3, 3)).toEqual(['name', 'password', 'passwordConfirmation'])
  expect(await can(3, 4)).toBe(false)
  expect(await can(1, 4)).toBe(true)
})

test('the OpenAPI document of a caller has no field that it sees nowhere', async () => {
  const documentOf = async (as: number | null) => (await get(as, '/api/v1/openapi.json', 'application/json')).body
  const attributes = async (as: number | null) =>
    Object.keys((await documentOf(as)).components.schemas['users.resource'].properties.attributes.properties)
  expect(await attributes(null)).toEqual(['name', 'createdAt', 'updatedAt'])
  expect(await attributes(3)).toEqual(['name', 'email', 'role', 'createdAt', 'updatedAt'])
  const parameters = async (as: number | null) => JSON.stringify((await documentOf(as)).components.parameters)
  const operators = async (as: number) => {
    const { paths, components } = inPlace(await documentOf(as), 'parameters')
    const { schema } = paths['/api/v1/users'].get.parameters.find(
      ({ name }: { name: string }) => name === 'filter[email]',
    )
    return Object.keys(components.schemas[schema.$ref.split('/').at(-1)].anyOf[1].properties)
  }
  expect(await parameters(null)).not.toContain('email')
  expect(await operators(3)).toContain('isNull')
  expect(await operators(1)).not.toContain('isNull')
  expect(JSON.stringify((await documentOf(null)).components.schemas['posts.resource'])).not.toContain('"tags"')
})

test('a form has no value that is hidden, and no field that may not be changed', async () => {
  const data = { title: 'Secret', slug: 'secret-form', content: 'Hidden text', authorId: 3, publishedAt: new Date(0) }
  const { id } = await api.db.post.create({ data })
  const page = async (as: number) => (await pageOf(as, `/api/v1/posts/${id}?-edit`)).split('id="update"')[1] ?? ''
  expect(await page(3)).toContain('data/attributes/content')
  expect(await page(3)).toContain('data/attributes/title')
  expect(await page(3)).not.toContain('Hidden text')
  expect(await page(3)).not.toContain('data/attributes/slug')
  await api.db.post.delete({ where: { id } })
})

const browser = browserOf({
  url: (path) => api.at + path,
  authorization: async (userId) => `Bearer ${await signToken(userId, 'the secret of the tests, which is long enough')}`,
})

async function pageOf(as: number, path: string): Promise<string> {
  const { cookie } = await browser.signIn(as)
  return (await browser.send(path, { headers: { Cookie: cookie } })).text
}
