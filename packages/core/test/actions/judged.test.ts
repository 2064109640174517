import { conflict, preconditionFailed, preconditionRequired } from '@prismapi/jsonapi/document/errors'
import { type Message, say } from '@prismapi/jsonapi/document/text'
import type { Precondition, Versions } from '@prismapi/jsonapi/request/operation'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { describe, expect, test } from 'vitest'
import type { RequestContext } from '../../src/actions/context.ts'
import { checkPrecondition, constraintErrorOfWrite } from '../../src/actions/judged.ts'
import { invalid, world } from '../validation/fixture.ts'

const versioned: ResourceSchema = { ...world().schema('Tag'), version: { kind: 'counter', column: 'version' } }
const unversioned: ResourceSchema = { ...versioned, version: null }
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

const check = ({ match, noneMatch, pointer }: Said, of = versioned) =>
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
    expect(await checkPrecondition(contextWith(null), { schema: versioned }, row)).toBe(undefined)
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
  const strict: ResourceSchema = { ...versioned, requiresIfMatch: true }
  const unsaid = checkPrecondition(contextWith(null), { schema: strict }, row)
  await expect(unsaid).rejects.toThrow(preconditionRequired('tags'))
  await expect(check({ noneMatch: ['6'] }, strict)).rejects.toThrow(preconditionRequired('tags'))
  expect(await check({ match: ['7'] }, strict)).toBe(undefined)
})

const { create, ctx, schema } = world()
const tags = { ctx, schema: schema('Tag') }
const broken = (kind: 'unique' | 'missing', ...columns: string[]) => ({
  kind,
  constraint: null,
  code: null,
  model: null,
  table: null,
  columns,
})

const errorOf = async (id: string | null, of: ReturnType<typeof broken>) => {
  const validated = await create('Tag', { attributes: { name: 'one' } }).done
  return constraintErrorOfWrite(tags, validated, id)(of)
}

describe('a unique constraint that another request was faster with', () => {
  test('is 409 for an id that the client chose', async () => {
    expect(await errorOf('1', broken('unique', 'id'))).toEqual(conflict('Resource 1 already exists.', '/data/id'))
  })

  test('is 422 at the field', async () => {
    const taken = [invalid('/data/attributes/name', 'The name has already been taken.', 'unique')]
    expect((await errorOf('1', broken('unique', 'name')))?.errors).toEqual(taken)
    expect((await errorOf(null, broken('unique', 'name')))?.errors).toEqual(taken)
  })
})

describe('a column that cannot be null', () => {
  test('is 422: the field that stands for it is required', async () => {
    expect((await errorOf(null, broken('missing', 'name')))?.errors).toEqual([
      invalid('/data', 'The name field is required.', 'required', 'name'),
    ])
  })

  test('is a fault of the application where no field stands for it', async () => {
    expect(await errorOf(null, broken('missing', 'nothing'))).toBe(null)
  })
})
