import type { Row } from '@prismapi/jsonapi/model/where'
import { describe, expect, test } from 'vitest'
import { relatedRows } from '../../../src/read/find.ts'
import { uniqueFailures } from '../../../src/validation/rules/unique-rules.ts'
import { world } from '../fixture.ts'

const at = new Date('2025-01-01T00:00:00Z')
const rows: readonly Row[] = [
  { id: 1, slug: 'one', title: 'T', authorId: 7, publishedAt: at },
  { id: 2, slug: 'two', title: 'T', authorId: 8, publishedAt: null },
]
const { ctx, plans, schema } = world({
  tables: { Post: rows, User: [{ id: 7 }, { id: 8 }] },
  scopes: { Post: { id: 0 } },
})

interface Sent {
  readonly row?: Row | null
  readonly attributes?: object
  readonly relationships?: object
}

/** The fields whose values another row has. */
async function clashes(fields: readonly string[], { row = null, attributes = {}, relationships = {} }: Sent) {
  const [field = '', ...together] = fields
  const subject = {
    schema: schema('Post'),
    row,
    attributes: new Map(Object.entries(attributes)),
    relationships: new Map(Object.entries(relationships)) as never,
    related: relatedRows(ctx),
  }
  const failures = await uniqueFailures(ctx as never, subject, [{ field, together }])
  return failures.map(({ path, rule }) => `${path.join('.')} ${rule}`)
}
const user = (id: number) => ({ type: 'users', id: String(id) })

describe('a value that is unique', () => {
  test('clashes with that of another row, which a scope may hide', async () => {
    expect(await clashes(['slug'], { attributes: { slug: 'one' } })).toEqual(['slug unique'])
    expect(await clashes(['slug'], { attributes: { slug: 'three' } })).toEqual([])
    expect(await clashes(['slug'], { row: rows[1] as Row, attributes: { slug: 'one' } })).toEqual(['slug unique'])
  })

  test('does not clash with its own row, and is not asked about where it stays', async () => {
    const before = plans.length
    expect(await clashes(['slug'], { row: rows[0] as Row, attributes: { slug: 'one' } })).toEqual([])
    expect(await clashes(['publishedAt'], { row: rows[0] as Row, attributes: { publishedAt: new Date(at) } })).toEqual(
      [],
    )
    expect(await clashes(['slug'], { row: rows[0] as Row, attributes: { title: 'other' } })).toEqual([])
    expect(plans.length).toBe(before)
    await clashes(['publishedAt'], { row: rows[0] as Row, attributes: { publishedAt: new Date(0) } })
    await clashes(['publishedAt'], { row: rows[1] as Row, attributes: { publishedAt: new Date(at) } })
    expect(plans.length).toBe(before + 2)
  })

  test('is none where it is null, or not known yet', async () => {
    expect(await clashes(['title'], { attributes: { title: null } })).toEqual([])
    expect(await clashes(['title', 'slug'], { attributes: { title: 'T' } })).toEqual([])
    expect(await clashes(['title', 'author'], { attributes: { title: 'T' } })).toEqual([])
  })

  test('may be one with others, of what is sent or of the row', async () => {
    const sent = { attributes: { title: 'T' }, relationships: { author: user(8) } }
    expect(await clashes(['title', 'author'], sent)).toEqual(['title unique'])
    expect(await clashes(['author', 'title'], { relationships: { author: user(7) }, row: rows[1] as Row })).toEqual([
      'author unique',
    ])
    expect(await clashes(['title', 'author'], { relationships: { author: user(7) }, row: rows[1] as Row })).toEqual([
      'author unique',
    ])
    const other = { attributes: { title: 'S' }, relationships: { author: user(8) } }
    expect(await clashes(['title', 'author'], other)).toEqual([])
  })
})
