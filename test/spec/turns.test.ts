import { expect, test } from 'vitest'
import { type Caller, useApi, users } from '../support/api.ts'

const api = useApi()

const paths = ['/posts?page[number]=1', '/posts/5', '/posts/5/comments', '/users/3', '/users?include=posts', '/tags']

test('requests of many callers that are answered together answer each as if it were alone', async () => {
  const callers: readonly Caller[] = [api.guest, ...Object.values(users).map((id) => api.as(id))]
  const asked = callers.flatMap((caller) => paths.map((path) => ({ caller, path })))
  const alone: object[] = []
  for (const { caller, path } of asked) alone.push(await answerOf(caller, path))
  const rounds = await Promise.all(
    Array.from({ length: 5 }, () => Promise.all(asked.map(({ caller, path }) => answerOf(caller, path)))),
  )
  // Else the comparison would say nothing.
  expect(new Set(alone.map((answer) => JSON.stringify(answer))).size).toBeGreaterThan(paths.length * 2)
  for (const together of rounds) expect(together).toEqual(alone)
})

const answerOf = async (caller: Caller, path: string) => {
  const { status, body } = await caller.get(path)
  return { path, status, body }
}
