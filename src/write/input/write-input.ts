import type { JsonApiError } from '../../document/error.ts'
import { invalidField } from '../../document/errors.ts'
import { say } from '../../document/text.ts'
import type { Linkage } from '../../document/types.ts'
import type { Row } from '../../model/where.ts'
import type { Relation } from '../../schema/relation-kinds.ts'
import type { Attribute, ResourceSchema } from '../../schema/resource-schema.ts'
import type { LinkChange } from '../links/link-change.ts'
import type { Subject } from '../write-context.ts'
import { foreignKeys, identifiersOf } from './foreign-keys.ts'
import { type Clash, findClash } from './shared-columns.ts'

/** What fills a row: validated, by the names that documents use. */
export interface WriteInput {
  readonly id: string | null
  readonly attributes: ReadonlyMap<string, unknown>
  readonly relationships: ReadonlyMap<string, Linkage>
  /** What becomes of links that are kept in other rows: planned, and permitted. */
  readonly links: readonly LinkChange[]
  /** Columns that were set before the transaction began. */
  readonly columns?: Row
}

export const inputOf = ({ attributes }: WriteInput): Row => Object.freeze(Object.fromEntries(attributes))

/** What a PATCH of a relationship, which fills nothing else, is about. */
export function aboutRelation({ attributes, relationships }: WriteInput) {
  const [only, ...rest] = relationships
  if (!only || rest.length > 0 || attributes.size > 0) return {}
  return { relation: only[0], identifiers: identifiersOf(only[1]) }
}

function idColumns(schema: ResourceSchema, id: string | null): Row {
  if (id === null) return {}
  return schema.id.parse(id) ?? {}
}

/** The columns of a new row, its id among them where the client gives one. */
export const newColumns = async (subject: Subject, input: WriteInput): Promise<Row> => ({
  ...(await ownColumns(subject, null, input)),
  ...idColumns(subject.schema, input.id),
})

/** The columns of the row itself: attributes, and the foreign keys of relations that lie on this side. */
export async function ownColumns({ ctx, schema, related }: Subject, row: Row | null, input: WriteInput): Promise<Row> {
  const columns: Record<string, unknown> = {}
  const settings = new Map<string, Row>()
  for (const [name, value] of input.attributes) {
    if (name === schema.deletedAtAttribute && value !== null) throw onlyRestored(name)
    const { column } = schema.attributes.get(name) as Attribute
    if (column) columns[column.name] = value
    // What is a part of relations, too, must not contradict them.
    if (column?.isForeignKey) settings.set(column.name, { [column.name]: value })
  }
  const registry = ctx.server.schemas
  for (const [relation, linkage] of relationsOf(schema, input)) {
    const keys = await foreignKeys({ registry, relation, linkage }, related)
    // What is cleared does not take a column away from what is set.
    for (const [column, value] of Object.entries(keys)) columns[column] = value ?? columns[column] ?? null
    if (relation.kind === 'belongsTo') settings.set(relation.field, keys)
  }
  const clash = findClash(schema, row, settings)
  if (clash) throw unfitting(schema, clash)
  return { ...columns, ...input.columns }
}

function unfitting(schema: ResourceSchema, { relation, other }: Clash): JsonApiError {
  const served = [...schema.relations.values()]
  const nameOf = (field: string) => served.find((each) => 'field' in each && each.field === field)?.name
  const attribute = [...schema.attributes.values()].find(({ column }) => column?.name === relation)
  const subject = attribute ? say`The ${attribute.name} field` : say`The ${nameOf(relation)} relation`
  const beside = other === null ? undefined : nameOf(other)
  const detail =
    other === null
      ? say`${subject} would change the id of the resource.`
      : beside === undefined
        ? say`${subject} does not fit another one.`
        : say`${subject} does not fit the ${beside} relation.`
  return invalidField({ detail, pointer: '/data', code: 'fitting' })
}

// DELETE is what sets the mark: it has a policy, rules and hooks of its own.
const onlyRestored = (name: string) =>
  invalidField({
    detail: say`The ${name} field can only be set to null, which restores the resource.`,
    pointer: `/data/attributes/${name}`,
    code: 'restore',
  })

export function relationsOf(schema: ResourceSchema, input: WriteInput): readonly (readonly [Relation, Linkage])[] {
  return [...input.relationships].map(([name, linkage]) => [schema.relations.get(name) as Relation, linkage])
}
