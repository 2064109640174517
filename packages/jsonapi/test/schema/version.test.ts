import { describe, expect, test } from 'vitest'
import type { ColumnMeta, Resources } from '../../src/model/meta.ts'
import { compileSchema } from '../../src/schema/compile.ts'
import { newNotes } from '../../src/schema/notes.ts'
import { type AnySchema, Schema } from '../../src/schema/schema.ts'
import { columnOf, modelOf, resourcesOf } from './meta.ts'

const stamp = columnOf('updatedAt', 'DateTime', { isUpdatedAt: true })
const counter = columnOf('revision', 'Int', { isVersion: true })

function compile(
  columns: readonly ColumnMeta[],
  declared: Partial<Omit<AnySchema, 'fields'>> & { readonly fields?: () => unknown } = {},
  provider: Resources['provider'] = 'postgresql',
) {
  const model = modelOf('Post', { columns: [columnOf('id', 'Int'), columnOf('title', 'String'), ...columns] })
  const resources = { ...resourcesOf(model), provider }
  const schema = Object.assign(new Schema(), declared) as unknown as AnySchema
  return compileSchema(model, schema, {
    type: 'posts',
    resources,
    maxPageSize: 100,
    isServed: () => true,
    notes: newNotes(),
  })
}

const instant = { kind: 'instant', column: 'updatedAt' }
const count = { kind: 'counter', column: 'revision' }

describe('inferred', () => {
  test('is @updatedAt, or the Int of @version before it, or nothing', () => {
    expect(compile([]).version).toBeNull()
    expect(compile([stamp]).version).toEqual(instant)
    expect(compile([stamp, counter]).version).toEqual(count)
  })

  test('a hidden counter counts, and a hidden instant is not told', () => {
    expect(compile([{ ...counter, hidden: true }]).version).toEqual(count)
    expect(compile([{ ...stamp, hidden: true }]).version).toBeNull()
    expect(compile([{ ...stamp, writeOnly: true }]).version).toBeNull()
  })

  test('an instant that may be missing is no version', () => {
    expect(compile([{ ...stamp, isNullable: true }]).version).toBeNull()
  })

  test.each([
    [['Timestamptz', '3'], 'postgresql', true],
    [['Timestamptz', '6'], 'postgresql', true],
    [['Timestamp'], 'postgresql', true],
    [['Timestamptz', '0'], 'postgresql', false],
    [['Date'], 'postgresql', false],
    [['DateTime', '3'], 'mysql', true],
    [['DateTime'], 'mysql', false],
    [['Timestamp'], 'mysql', false],
  ] as const)('%j on %s keeps milliseconds: %s', (native, provider, isPrecise) => {
    expect(compile([{ ...stamp, native }], {}, provider).version).toEqual(isPrecise ? instant : null)
  })
})

describe('declared', () => {
  test('names a column, or none', () => {
    const plain = columnOf('revision', 'Int')
    expect(compile([stamp, plain], { version: 'revision' }).version).toEqual(count)
    expect(compile([stamp, counter], { version: 'updatedAt' }).version).toEqual(instant)
    expect(compile([{ ...stamp, hidden: true }], { version: 'updatedAt' }).version).toEqual(instant)
    expect(compile([stamp, counter], { version: null }).version).toBeNull()
  })

  test('is never written by clients, whatever the schema class says', () => {
    const { attributes } = compile([counter])
    expect(attributes.get('revision')?.readOnly).toBe(true)
    class Open extends Schema {
      override fields() {
        return [this.attribute('revision').asReadOnly(false)]
      }
    }
    expect(compile([counter], { fields: () => new Open().fields() }).attributes.get('revision')?.readOnly).toBe(true)
  })

  test.each([
    ['title', []],
    ['missing', []],
    ['id', []],
    ['revision', [{ ...counter, isNullable: true }]],
    ['revision', [{ ...counter, type: 'BigInt' }]],
    ['revision', [{ ...counter, isForeignKey: true }]],
    ['updatedAt', [{ ...stamp, isNullable: true }]],
  ] as const)('%s cannot be one', (version, columns) => {
    expect(() => compile(columns, { version })).toThrow(
      `version = '${version}': Post has no required Int or @updatedAt of that name that is no part of a key. Add it, or remove the line.`,
    )
  })

  test('what has none cannot demand it', () => {
    expect(() => compile([], { requiresIfMatch: true })).toThrow('requiresIfMatch: Post has no version.')
    expect(compile([stamp], { requiresIfMatch: true }).requiresIfMatch).toBe(true)
  })
})
