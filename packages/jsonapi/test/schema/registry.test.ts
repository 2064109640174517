import { describe, expect, test } from 'vitest'
import { AttributeOverride, type Field } from '../../src/schema/fields.ts'
import { compileRegistry } from '../../src/schema/registry.ts'
import { RelationOverride } from '../../src/schema/relation-fields.ts'
import { type AnySchema, Schema } from '../../src/schema/schema.ts'
import { columnOf, modelOf, relationOf, resourcesOf } from './meta.ts'

const id = columnOf('id', 'Int', { default: 'autoincrement' })
const key = (name: string) => columnOf(name, 'Int', { isForeignKey: true })
const note = modelOf('Note', {
  columns: [
    id,
    columnOf('type', 'String'),
    columnOf('passwordHash', 'String'),
    columnOf('apiToken', 'String', { isNullable: true }),
    key('userId'),
  ],
  relations: [
    relationOf('links', 'User', { foreignKey: { columns: ['userId'], references: ['id'] }, inverse: 'notes' }),
  ],
})
const user = modelOf('User', {
  columns: [id, columnOf('name', 'String')],
  relations: [
    relationOf('notes', 'Note', { isList: true, inverse: 'links' }),
    relationOf('ghosts', 'Note', { isList: true, inverse: null }),
  ],
})
const view = modelOf('Totals', { columns: [columnOf('n', 'Int')], key: [], operations: ['read'] })
const readOnly = modelOf('Report', { columns: [id], operations: ['read'] })

interface Given {
  readonly schemas?: Readonly<Record<string, new () => AnySchema>>
  readonly only?: readonly string[]
}

const compile = ({ schemas = {}, only }: Given = {}) =>
  compileRegistry({
    resources: resourcesOf(note, user, view, readOnly),
    schemas: new Map(Object.entries(schemas).map(([model, SchemaOfModel]) => [model, new SchemaOfModel()])),
    only: only ?? null,
    maxPageSize: 50,
  })

describe('a Prisma schema', () => {
  const { registry, notes } = compile()

  test('becomes a type for each model that can be named', () => {
    expect([...registry.byType.keys()]).toEqual(['notes', 'users', 'reports'])
    expect(registry.byModel.get('Note')).toBe(registry.byType.get('notes'))
    expect(registry.byType.get('reports')?.operations).toEqual(new Set())
  })

  test('becomes fields, under names that JSON:API allows', () => {
    const schema = registry.byType.get('notes')
    expect([[...(schema?.attributes.keys() ?? [])], [...(schema?.relations.keys() ?? [])]]).toEqual([
      ['noteType', 'passwordHash'],
      ['noteLinks'],
    ])
  })

  test('leaves word of what was decided without being asked', () => {
    expect(notes).toEqual({
      hidden: [{ model: 'Note', field: 'apiToken', reason: 'its name says that it holds a secret.' }],
      secrets: [
        {
          model: 'Note',
          field: 'passwordHash',
          reason:
            'its name says that it holds a secret. It is accepted and never shown, since rows need it. Write /// @hidden above it where only code fills it, or /// @writeOnly to say so.',
        },
      ],
      renamed: [
        { model: 'Note', field: 'links', name: 'noteLinks', reason: 'JSON:API does not allow the name.' },
        { model: 'Note', field: 'type', name: 'noteType', reason: 'JSON:API does not allow the name.' },
      ],
      warnings: [],
      skipped: [
        {
          model: 'Totals',
          field: null,
          reason:
            'it has no id and no unique without nullable fields, so its rows cannot be named. Add @id or @unique.',
        },
        {
          model: 'User',
          field: 'ghosts',
          reason: 'the other end of the relation is ignored. Remove its @ignore.',
          isIgnored: true,
        },
      ],
    })
  })

  test('has defaults for all else', () => {
    const {
      paginator,
      model: _,
      id: __,
      attributes: ___,
      relations: ____,
      hooks: _____,
      ...rest
    } = registry.byType.get('users') as NonNullable<ReturnType<typeof registry.byType.get>>
    expect(paginator?.keys).toEqual(['number', 'size'])
    expect(rest).toEqual({
      type: 'users',
      defaultPage: { number: '1' },
      perPage: 15,
      maxPageSize: 50,
      defaultSort: '',
      defaultInclude: [],
      singularFilters: new Set(),
      filters: new Map(),
      sorts: new Map(),
      search: null,
      authorizable: true,
      viewAnyByView: null,
      showsCan: false,
      label: 'name',
      previews: new Map(),
      columns: null,
      group: null,
      icon: null,
      selfLink: true,
      deletedAt: null,
      deprecation: null,
      deletedAtAttribute: null,
      unservedActions: [],
      version: null,
      requiresIfMatch: false,
      operations: new Set(['create', 'update', 'delete']),
      statistics: null,
      actions: new Map(),
      constraints: new Map(),
    })
  })
})

describe('a server that serves some models', () => {
  test('offers no relation to the others, and says nothing of them', () => {
    const { registry, notes } = compile({ only: ['User'] })
    expect([[...registry.byType.keys()], registry.byType.get('users')?.relations]).toEqual([['users'], new Map()])
    expect(notes).toEqual({ hidden: [], secrets: [], renamed: [], warnings: [], skipped: [] })
  })
})

describe('a schema class', () => {
  const fieldsOf = (fields: readonly Field[]) => {
    class Own extends Schema {
      override fields() {
        return fields
      }
    }
    const { registry, notes } = compile({ schemas: { Note: Own as never } })
    return { schema: registry.byModel.get('Note'), notes }
  }
  test('names fields, which are no surprise then', () => {
    const { schema, notes } = fieldsOf([
      new AttributeOverride('type').named('kind').singular(),
      new RelationOverride('links').named('user'),
    ])
    expect([...(schema?.attributes.keys() ?? []), ...(schema?.relations.keys() ?? [])]).toEqual([
      'kind',
      'passwordHash',
      'user',
    ])
    expect([notes.renamed, schema?.singularFilters]).toEqual([[], new Set(['kind'])])
  })

  test('knows a field by the name that it is served by', () => {
    const { schema } = fieldsOf([new AttributeOverride('type').singular()])
    expect(schema?.singularFilters).toEqual(new Set(['noteType']))
  })

  test('shows what a name hides, or accepts it without showing it', () => {
    const { schema, notes } = fieldsOf([
      new AttributeOverride('passwordHash').visible(),
      new AttributeOverride('apiToken').writeOnly(),
    ])
    const shown = [...(schema?.attributes.values() ?? [])].map(({ name, writeOnly }) => [name, writeOnly])
    expect([shown, notes.hidden]).toEqual([
      [
        ['noteType', false],
        ['passwordHash', false],
        ['apiToken', true],
      ],
      [],
    ])
  })

  test('hides fields without a note', () => {
    const { schema, notes } = fieldsOf([
      new AttributeOverride('type').hidden(),
      new AttributeOverride('passwordHash').hidden(),
      new AttributeOverride('own').computed([], () => 1).hidden(),
      new RelationOverride('links').hidden(),
    ])
    const hidden = notes.hidden.map(({ field }) => field)
    expect([schema?.attributes, schema?.relations, hidden]).toEqual([new Map(), new Map(), ['apiToken']])
  })
})
