import { describe, expect, test } from 'vitest'
import { useApi, users } from '../support/api.ts'
import { provider } from '../support/database.ts'

// Resources that are asked for in the same moment may be looked up together; nobody sees more by it than by itself.

const api = useApi()
const ids = Array.from({ length: 40 }, (_, i) => String(i + 1))
const callers = [null, users.admin, users.member3, users.member4, users.member5]

const get = async (caller: number | null, id: string) => {
  const { status, body } = await (caller === null ? api.guest : api.as(caller)).get(`/posts/${id}`)
  return { caller, id, status, body }
}
const asked = callers.flatMap((caller) => ids.map((id) => [caller, id] as const))

describe('resources that several callers ask for at once', () => {
  test('are what each of them sees when nobody else asks', async () => {
    const alone = []
    for (const [caller, id] of asked) alone.push(await get(caller, id))
    expect(new Set(alone.map(({ status }) => status))).toEqual(new Set([200, 404]))
    for (let round = 0; round < 3; round++)
      expect(await Promise.all(asked.map(([caller, id]) => get(caller, id)))).toEqual(alone)
  })

  test('are looked up together where the database is a server', async () => {
    // Nobody has asked for these answers before, so none is kept.
    const all = () => Promise.all(ids.map((id) => get(users.admin, `${id}?fields[posts]=title`)))
    await all()
    const lookUps = (await api.queriesOf(all)).filter((sql) => /"Post"/.test(sql))
    if (provider === 'postgresql') expect(lookUps.length).toBeLessThan(ids.length)
    else expect(lookUps).toHaveLength(ids.length)
  })
})
