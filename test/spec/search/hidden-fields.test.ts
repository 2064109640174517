import { beforeAll, expect, test } from 'vitest'
import V2 from '../../../src/app/v2/server.ts'
import { fieldServers } from '../../support/field-policies.ts'
import { useServers } from '../../support/servers.ts'

// A field that a caller does not see in every row is not searched for them: nothing that they find, count or see the order of tells of it.

const api = useServers(() => fieldServers(V2))

const names = new Map<string, string>()
beforeAll(async () => {
  const make = async (name: string, post: { title: string; content: string; synopsis: string }) => {
    const { id } = await api.db.post.create({
      data: { ...post, slug: `search-${name}`, authorId: 4, publishedAt: new Date(0) },
    })
    names.set(String(id), name)
  }
  await make('first', { title: 'A beacon', content: 'Nothing.', synopsis: 'Nothing.' })
  await make('second', { title: 'A beacon', content: 'The lighthouse has a beacon.', synopsis: 'A keeper' })
})

async function find(as: number | null, text: string) {
  const { status, body } = await api.as(as)('GET', `/api/v2/posts?filter[search]=${text}&sort=-search,id`)
  expect(status).toBe(200)
  return body.data.map(({ id }: { id: string }) => names.get(id) ?? id)
}

test.each<[who: string, as: number | null, text: string, found: readonly string[]]>([
  ['who sees all fields', 1, 'beacon', ['second', 'first']],
  ['who sees all fields', 1, 'lighthouse', ['second']],
  ['who sees all fields', 1, 'beacon%20-lighthouse', ['first']],
  ['a guest, who sees the title alone,', null, 'beacon', ['first', 'second']],
  ['a guest, who sees the title alone,', null, 'lighthouse', []],
  ['a guest, who sees the title alone,', null, 'keeper', []],
  ['a guest, who sees the title alone,', null, 'beacon%20-lighthouse', ['first', 'second']],
  ['a guest, who sees the title alone,', null, 'beacon%20or%20lighthouse', ['first', 'second']],
  ['a member, to whom rules hide each field of some rows,', 3, 'beacon', []],
  ['a member, to whom rules hide each field of some rows,', 3, 'beacon%20-lighthouse', []],
])('%s finds the same, whatever is hidden: %s %s', async (_, as, text, found) => {
  expect(await find(as, text)).toEqual(found)
})
