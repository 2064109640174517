import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { useApi, users } from '../../support/api.ts'
import { at } from '../../support/row-documents.ts'

const api = useApi()
const page = readFileSync(path.resolve(import.meta.dirname, '../../../docs/queries.md'), 'utf8')
const [, section = ''] = page.split('## Page included collections')

test('the request for an included collection in docs/queries.md gets the relationship that stands there', async () => {
  const [, url] = /^`GET ([^`]+)`$/m.exec(section) as unknown as [string, string]
  const [, json] = /^```json .*\n([\s\S]*?)^```$/m.exec(section) as unknown as [string, string]
  const { status, body } = await api.as(users.member3).get(`/api/v1${url}`)
  expect(status).toBe(200)
  expect({ posts: body.data.relationships.posts }).toEqual(JSON.parse(json.replaceAll('"/users', `"${at('/users')}`)))
})
