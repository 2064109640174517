import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { origin, useApi } from '../support/api.ts'

const api = useApi()
const readme = readFileSync(path.resolve(import.meta.dirname, '../../README.md'), 'utf8')

test('the request of the README gets the answer of the README', async () => {
  const [, host, url] = /^curl -g '(http:\/\/[^/]+)([^']+)'$/m.exec(readme) as unknown as [string, string, string]
  const [, answer] = /^```json\n([\s\S]*?)^```$/m.exec(readme) as unknown as [string, string]
  const { status, body } = await api.guest.get(url)
  expect(status).toBe(200)
  expect(body).toEqual(JSON.parse(answer.replaceAll(host, origin)))
})
