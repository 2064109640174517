import { Policy, type Rules, string, type User } from 'prismapi'
import { describe, expect, test } from 'vitest'
import PostOfSecond from '../../../src/app/v2/post.schema.ts'
import V2 from '../../../src/app/v2/server.ts'
import { expectErrorsOf11 } from '../../support/answers.ts'
import { fresh } from '../../support/idempotency.ts'
import { atomic } from '../../support/operations.ts'
import { exampleWith, useServers } from '../../support/servers.ts'

// Who may neither see nor change a field gets one answer, whatever is sent: the value that is there, too.

/** Its author neither sees nor changes the synopsis, the date and the tags of a post that is sealed. */
class PostPolicy extends Policy<'Post', 'note'> {
  override abilities({ can, cannot }: Rules<'Post', 'note'>, user: User | null) {
    can(this.reads)
    if (!user) return
    can(['update', 'attachTags', 'detachTags', 'updateTags', 'note'], { authorId: user.id })
    if (user.role === 'MEMBER')
      cannot(['view', 'update'], ['synopsis', 'publishedAt', 'tags'], { slug: { startsWith: 'sealed' } })
    if (user.role === 'EDITOR') cannot('update', ['synopsis', 'publishedAt', 'tags'])
  }
}

class PostSchema extends PostOfSecond {
  override actions() {
    return [
      ...super.actions(),
      this.action('note', {
        rules: { synopsis: string().nullable() },
        handle: ({ row, input, save }) => save('Post', row, { synopsis: input.synopsis ?? null }),
      }),
    ]
  }
}

const api = useServers(async () => {
  const { policies, servers } = await exampleWith(V2)
  return {
    policies: new Map([...policies, ['Post', PostPolicy]] as never) as typeof policies,
    servers: servers.map((each) => ({
      ...each,
      schemas: new Map([...each.schemas, ['Post', PostSchema]] as never) as typeof each.schemas,
    })),
  }
})

const [member, editor] = [3, 2]
const present = { synopsis: 'What is there', publishedAt: new Date('2024-02-02T02:02:02Z') }
/** A post with a tag. */
async function postOf(authorId: number, name: string) {
  const slug = fresh(name)
  const data = { title: 'A title', slug, content: 'Text', authorId, ...present, tags: { connect: { id: 3 } } }
  return { slug, id: `${(await api.db.post.create({ data })).id}` }
}

const fields: readonly (readonly [
  field: string,
  values: readonly unknown[],
  member: 'attributes' | 'relationships',
])[] = [
  ['synopsis', ['What is there', 'What is not', '', null, 7, 'x'.repeat(501)], 'attributes'],
  ['publishedAt', ['2024-02-02T02:02:02.000Z', '2024-01-01T00:00:00Z', null, 'no date'], 'attributes'],
  [
    'tags',
    [[{ type: 'tags', id: '3' }], [{ type: 'tags', id: '4' }], [], [{ type: 'tags', id: '999999' }]],
    'relationships',
  ],
]
const refused = (field: string, pointer?: string) => ({
  ...{ status: '403', title: 'Forbidden', detail: `You may not change the field ${field}.` },
  ...(pointer !== undefined && { source: { pointer } }),
})
const memberOf = (kind: 'attributes' | 'relationships', field: string, value: unknown) => ({
  [kind]: { [field]: kind === 'relationships' ? { data: value } : value },
})
const operate = (as: number, operation: object) => {
  const type = `${atomic};profile="urn:prismapi:profile:upsert"`
  return api.as(as)('POST', '/api/v2/operations', {
    headers: { Accept: type, 'Content-Type': type },
    body: { 'atomic:operations': [operation] },
  })
}

describe.each(fields)('%s', (field, values, kind) => {
  test('of a document', async () => {
    const { id } = await postOf(member, 'sealed')
    for (const value of values) {
      const body = { data: { type: 'posts', id, ...memberOf(kind, field, value) } }
      expectErrorsOf11(
        await api.as(member)('PATCH', `/api/v2/posts/${id}`, { body }),
        refused(field, `/data/${kind}/${field}`),
      )
    }
  })

  test('of an operation and of an upsert', async () => {
    const { id, slug } = await postOf(member, 'sealed')
    for (const value of values) {
      const update = { op: 'update', data: { type: 'posts', id, ...memberOf(kind, field, value) } }
      const sent = memberOf(kind, field, value)
      const data = { type: 'posts', ...sent, attributes: { slug, ...(kind === 'attributes' && sent.attributes) } }
      for (const operation of [update, { op: 'update', data, meta: { upsert: { by: ['slug'] } } }])
        expect((await operate(member, operation)).body.errors).toEqual([
          refused(field, `/atomic:operations/0/data/${kind}/${field}`),
        ])
    }
  })

  test('is written where it is not forbidden, and by who sees it the value that is there is no change', async () => {
    const [open, own] = [await postOf(member, 'open'), await postOf(editor, 'sealed')]
    const patch = (as: number, id: string, value: unknown) =>
      api.as(as)('PATCH', `/api/v2/posts/${id}`, {
        body: { data: { type: 'posts', id, ...memberOf(kind, field, value) } },
      })
    expect((await patch(member, open.id, values[1])).status).toBe(200)
    expect((await patch(editor, own.id, values[0])).status).toBe(200)
    expectErrorsOf11(await patch(editor, own.id, values[1]), refused(field, `/data/${kind}/${field}`))
  })
})

test('a relationship at its own URL, and in an operation', async () => {
  const { id } = await postOf(member, 'sealed')
  const ref = { type: 'posts', id, relationship: 'tags' }
  for (const [verb, op] of [
    ['PATCH', 'update'],
    ['POST', 'add'],
    ['DELETE', 'remove'],
  ] as const)
    for (const data of fields[2]?.[1] ?? []) {
      const answer = await api.as(member)(verb, `/api/v2/posts/${id}/relationships/tags`, { body: { data } })
      expectErrorsOf11(answer, refused('tags', '/data'))
      expect((await operate(member, { op, ref, data })).body.errors).toEqual([
        refused('tags', '/atomic:operations/0/data'),
      ])
    }
})

describe('what an action saves', () => {
  const note = (as: number, id: string, synopsis: string) =>
    api.as(as)('POST', `/api/v2/posts/${id}/-actions/note`, { body: { meta: { synopsis } } })

  test('is refused with the value that is there, too, to who does not see it', async () => {
    const { id } = await postOf(member, 'sealed')
    for (const synopsis of [present.synopsis, 'What is not'])
      expectErrorsOf11(await note(member, id, synopsis), refused('synopsis'))
  })

  test('is no change with the value that is there to who sees it', async () => {
    const { id } = await postOf(editor, 'sealed')
    expect((await note(editor, id, present.synopsis)).status).toBe(200)
    expectErrorsOf11(await note(editor, id, 'What is not'), refused('synopsis'))
  })
})
