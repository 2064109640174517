import { describe, expect, test } from 'vitest'
import V2 from '../../../src/app/v2/server.ts'
import { ByPrisma, fieldServers } from '../../support/field-policies.ts'
import { useServers } from '../../support/servers.ts'

describe.each([
  ['by SQL', V2],
  ['by Prisma Client', ByPrisma],
])('a field that is hidden in some rows counts as null there, %s', (_, server) => {
  const api = useServers(() => fieldServers(server))
  const ask = (as: number | null, path: string) => api.as(as)('GET', `/api/v2${path}`)
  const ids = async (as: number | null, path: string): Promise<number[]> =>
    (await ask(as, path)).body.data.map(({ id }: { id: string }) => Number(id)).sort((a: number, b: number) => a - b)
  const all = '&page[size]=100'

  test('one that is hidden in every row is unknown', async () => {
    for (const path of [
      '/users?filter[email]=x',
      '/users?filter[email][contains]=x',
      '/users?sort=email',
      '/users?sort=-role',
    ]) {
      const hidden = await ask(null, path)
      const unknown = await ask(null, path.replace(/email|role/, 'nothing'))
      expect(hidden.status).toBe(400)
      expect(hidden.text.replaceAll(/email|role/g, 'nothing')).toBe(unknown.text)
    }
    expect((await ask(null, '/posts?filter[author.email]=x')).status).toBe(400)
    expect((await ask(null, '/posts?filter[tags.name]=x')).status).toBe(400)
    expect((await ask(null, '/users?fields[users]=email,name')).status).toBe(200)
  })

  test('every operator, and not', async () => {
    const everybody = await ids(1, `/users?${all}`)
    const email = (await api.db.user.findUniqueOrThrow({ where: { id: 3 } })).email
    const others = await api.db.user.findUniqueOrThrow({ where: { id: 4 } })
    expect(await ids(3, `/users?filter[email]=${email}${all}`)).toEqual([3])
    expect(await ids(3, `/users?filter[email]=${others.email}${all}`)).toEqual([])
    expect(await ids(3, `/users?filter[email][contains]=@${all}`)).toEqual([3])
    expect(await ids(3, `/users?filter[email][not]=nobody${all}`)).toEqual([3])
    expect(await ids(3, `/users?filter[email][notIn]=nobody,else${all}`)).toEqual([3])
    expect(await ids(3, `/users?filter[not][0][email]=nobody${all}`)).toEqual([3])
    expect(await ids(3, `/users?filter[not][0][email][contains]=nobody${all}`)).toEqual([3])
    expect(await ids(3, `/users?filter[email][isNull]=false${all}`)).toEqual([3])
    const hidden = everybody.filter((id) => id !== 3)
    expect(await ids(3, `/users?filter[email][isNull]=true${all}`)).toEqual(hidden)
    expect(await ids(3, `/users?filter[not][0][email][isNull]=false${all}`)).toEqual(hidden)
    expect(await ids(3, `/users?filter[or][0][email][isNull]=true&filter[or][1][email]=${email}${all}`)).toEqual(
      everybody,
    )
    // For whom it is never hidden, a required column is never null.
    expect((await ask(1, '/users?filter[email][isNull]=true')).status).toBe(400)
  })

  test('across relations', async () => {
    const posts = await api.db.post.findMany({ where: { authorId: 3, deletedAt: null } })
    const mine = posts.map(({ id }) => id).sort((a, b) => a - b)
    expect(await ids(3, `/posts?filter[author.email][contains]=@${all}`)).toEqual(mine)
    expect(await ids(3, `/posts?filter[not][0][author.email]=nobody${all}`)).not.toContain(
      (await api.db.post.findFirstOrThrow({ where: { authorId: 4, deletedAt: null } })).id,
    )
    // Who wrote the posts of member 5 is hidden: they have no author to others.
    const hidden = await ids(null, `/posts?filter[author]=5${all}`)
    expect(hidden.length).toBeGreaterThan(0)
    expect(await ids(3, `/posts?filter[author]=5${all}`)).toEqual([])
    expect(await ids(3, `/posts?filter[author.id]=5${all}`)).toEqual([])
    expect(await ids(3, `/posts?filter[author][isNull]=true${all}`)).toEqual(hidden)
  })

  test('a null is no counterexample to every, and no example of some', async () => {
    const anyone = (await ids(3, `/users?filter[comments.some.author.email][contains]=@${all}`)).join()
    expect(anyone).toBe('3')
    const every = await ids(3, `/users?filter[comments.every.author.email][contains]=nobody${all}`)
    expect(every).not.toContain(3)
    expect(every).toContain(4)
    const none = await ids(3, `/users?filter[comments.none.author.email][contains]=@${all}`)
    expect(none).toContain(4)
    expect(none).not.toContain(3)
  })
})
