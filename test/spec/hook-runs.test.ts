import fc from 'fast-check'
import type { Serving } from 'prismapi'
import type { Validator } from 'prismapi/rules'
import { expect, test } from 'vitest'
import TagRequest from '../../requests/tag.request.ts'
import V2 from '../../src/app/v2/server.ts'
import { users } from '../support/api.ts'
import { fresh } from '../support/idempotency.ts'
import { addTag } from '../support/rows.ts'
import { exampleWith, theExample, useServers } from '../support/servers.ts'

// How often hooks run while many clients write the same rows: once in each attempt, and once in the attempt that is stored.

interface Hooked {
  /** Whether the hooks before the write declare the event, and so have a transaction. */
  readonly takesEvent: boolean
  /** Whether hooks look at the row afterwards. */
  readonly looks: boolean
}

let hooked: Hooked = { takesEvent: false, looks: false }
/** The hooks that ran with one event, which is made for each attempt. */
let attempts = new Map<object, string[]>()
let committed: object[] = []
/** What happened to each request, by the name that its client sent. */
let journal: string[] = []

const sentIn = (name: unknown): string => String(name).split('+')[0] as string

class Journal extends TagRequest {
  override withValidator(validator: Validator) {
    if (this.isUpdating()) journal.push(`judged ${validator.data.name}`)
  }
}

const note = (event: object, name: string) => {
  attempts.set(event, [...(attempts.get(event) ?? []), name])
}

class Counting extends V2 {
  override serving(phase: Serving): void {
    super.serving(phase)
    for (const name of ['creating', 'updating', 'saving'] as const)
      if (hooked.takesEvent)
        phase[name]('Tag', async (data, event) => {
          note(event, name)
          if (name !== 'saving') event.afterCommit(() => void committed.push(event))
          await event.db.tag.count()
          return { name: `${data.name}+${name}` }
        })
      else
        phase[name]('Tag', async (data) => {
          journal.push(`${name} ${sentIn(data.name)}`)
          return { name: `${data.name}+${name}` }
        })
    if (!hooked.looks) return
    for (const name of ['created', 'updated', 'saved'] as const)
      phase[name]('Tag', (_, event) => {
        note(event, name)
        if (name !== 'saved' && !hooked.takesEvent) event.afterCommit(() => void committed.push(event))
      })
  }
}

const api = useServers(async () => {
  const { servers } = await theExample()
  const request = { request: Journal as never, query: null, collectionQuery: null }
  return exampleWith(Counting, { requests: new Map(servers[1]?.requests).set('Tag', request) })
})
const admin: ReturnType<typeof api.as> = (...args) => api.as(users.admin)(...args)

interface Write {
  /** Which of two tags changes; null for a new one. */
  readonly changes: 0 | 1 | null
}

const hooksOf = ({ takesEvent, looks }: Hooked, { changes }: Write): readonly string[] => [
  ...(takesEvent ? [changes === null ? 'creating' : 'updating', 'saving'] : []),
  ...(looks ? [changes === null ? 'created' : 'updated', 'saved'] : []),
]

async function send({ changes }: Write, ids: readonly number[]): Promise<string> {
  const name = fresh('runs')
  const id = changes === null ? null : String(ids[changes])
  const body = { data: { type: 'tags', ...(id && { id }), attributes: { name } } }
  const path = `/api/v2/tags${id ? `/${id}` : ''}`
  const { status, body: answer } = await admin(id ? 'PATCH' : 'POST', path, { body })
  const marks = id ? '+updating+saving' : '+creating+saving'
  expect([status, answer.data?.attributes.name]).toEqual([id ? 200 : 201, `${name}${marks}`])
  return name
}

const write = fc.record({ changes: fc.constantFrom(0, 0, 1, null) }) as fc.Arbitrary<Write>
const hooks = fc.record({ takesEvent: fc.boolean(), looks: fc.boolean() })

test('each hook runs once in each attempt, and once in the attempt that is stored', async () => {
  await fc.assert(
    fc.asyncProperty(hooks, fc.array(write, { minLength: 2, maxLength: 8 }), async (given, writes) => {
      hooked = given
      attempts = new Map()
      committed = []
      journal = []
      const ids = [(await addTag(api.db)).id, (await addTag(api.db)).id]
      const names = await Promise.all(writes.map((each) => send(each, ids)))

      const expected = writes.map((each) => hooksOf(given, each).join())
      for (const ran of attempts.values()) {
        expect(new Set(ran).size).toBe(ran.length)
        expect(expected.some((all) => all.startsWith(ran.join()))).toBe(true)
      }
      if (given.takesEvent || given.looks)
        expect(committed.map((event) => attempts.get(event)?.join()).sort()).toEqual([...expected].sort())
      if (!given.takesEvent && !given.looks)
        for (const [i, name] of names.entries()) {
          const [first, isNew] = writes[i]?.changes === null ? ['creating', true] : ['updating', false]
          const of = (step: string) => journal.filter((each) => each === `${step} ${name}`).length
          // A row that others change is judged again for each attempt. A new one has one.
          expect([of(first), of('saving')]).toEqual(isNew ? [1, 1] : [of('judged'), of('judged')])
        }
    }),
    { numRuns: 25 },
  )
})
