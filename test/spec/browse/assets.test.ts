import { expect, test } from 'vitest'
import { useApi } from '../../support/api.ts'

// The files that pages need are kept by browsers, and known by their tags.

const api = useApi()
const asked = (path: string, headers = {}) => fetch(api.url(path), { headers: { Accept: '*/*', ...headers } })
const files = ['/api/v1/-browse/assets/browse.css', '/api/v1/docs/assets/openapi-explorer.js']

test.each(files)('%s has a tag, by which a browser that has it is told so', async (path) => {
  const { status, headers } = await asked(path)
  const tag = headers.get('ETag') ?? ''
  expect([status, tag]).toEqual([200, expect.stringMatching(/^W\/"[\w-]{12}"$/)])
  const again = await asked(path, { 'If-None-Match': tag })
  expect([again.status, await again.text(), again.headers.get('Cache-Control')]).toEqual([
    304,
    '',
    'private, max-age=31536000, immutable',
  ])
  expect((await asked(path, { 'If-None-Match': 'W/"other"' })).status).toBe(200)
})

test.each(files)('%s is the same whether it is compressed or not', async (path) => {
  const answers = await Promise.all(['gzip', 'identity'].map((coding) => asked(path, { 'Accept-Encoding': coding })))
  expect(answers.map(({ headers }) => headers.get('Content-Encoding'))).toEqual(['gzip', null])
  const [packed, whole] = await Promise.all(answers.map((answer) => answer.text()))
  expect(packed === whole).toBe(true)
})
