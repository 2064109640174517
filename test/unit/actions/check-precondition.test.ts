import { describe, expect, test } from 'vitest'
import { checkPrecondition } from '../../../src/actions/check-precondition.ts'
import type { RequestContext } from '../../../src/actions/context.ts'
import { preconditionFailed, preconditionRequired } from '../../../src/document/errors.ts'
import { type Message, say } from '../../../src/document/text.ts'
import type { Precondition, Versions } from '../../../src/request/precondition.ts'
import type { ResourceSchema } from '../../../src/schema/resource-schema.ts'
import { world } from '../validation/fixture.ts'

const schema: ResourceSchema = { ...world().schema('Tag'), version: { kind: 'counter', column: 'version' } }
const unversioned: ResourceSchema = { ...schema, version: null }
const row = { id: 1, version: 7 }
const seen = () => null
const stale = say`The resource is not at the version that the request names: read it again before you change it.`
const existing = say`The resource is what If-None-Match rules out.`

interface Said {
  readonly match?: Versions
  readonly noneMatch?: Versions
  readonly pointer?: string
}

/** Of a server that asks nobody for permission. */
const contextWith = (precondition: Precondition | null) =>
  ({ seen, precondition, server: { requests: new Map(), authorizable: false } }) as unknown as RequestContext

const check = ({ match, noneMatch, pointer }: Said, of = schema) =>
  checkPrecondition(
    contextWith({ match: match ?? null, noneMatch: noneMatch ?? null, pointer: pointer ?? null }),
    { schema: of },
    row,
  )

describe('a write goes on', () => {
  test.each<Said>([{}, { match: ['7'] }, { match: ['6', '7'] }, { match: 'any' }, { noneMatch: ['6'] }])(
    'where the request says %j of version 7',
    async (said) => {
      expect(await check(said)).toBe(undefined)
    },
  )

  test('where the request says nothing', async () => {
    expect(await checkPrecondition(contextWith(null), { schema }, row)).toBe(undefined)
  })
})

describe('412', () => {
  test.each<[Said, Message]>([
    [{ match: ['6'] }, stale],
    [{ match: [] }, stale],
    [{ noneMatch: ['7'] }, existing],
    [{ noneMatch: 'any' }, existing],
    [{ match: ['7'], noneMatch: ['7'] }, existing],
  ])('where the request says %j of version 7', async (said, detail) => {
    await expect(check(said)).rejects.toThrow(preconditionFailed(detail, null))
  })

  test('points at the operation that says so', async () => {
    const pointer = '/atomic:operations/0/meta/version'
    await expect(check({ match: ['6'], pointer })).rejects.toThrow(preconditionFailed(stale, pointer))
  })

  test('says that the type has no versions; any match is one', async () => {
    const detail = say`Resources of type ${'tags'} have no version that a request could name.`
    await expect(check({ match: ['7'] }, unversioned)).rejects.toThrow(preconditionFailed(detail, null))
    expect(await check({ match: 'any' }, unversioned)).toBe(undefined)
  })
})

test('428 where the schema wants a version and the request names none', async () => {
  const strict: ResourceSchema = { ...schema, requiresIfMatch: true }
  const unsaid = checkPrecondition(contextWith(null), { schema: strict }, row)
  await expect(unsaid).rejects.toThrow(preconditionRequired('tags'))
  await expect(check({ noneMatch: ['6'] }, strict)).rejects.toThrow(preconditionRequired('tags'))
  expect(await check({ match: ['7'] }, strict)).toBe(undefined)
})
