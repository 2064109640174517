import { conflict } from '../../document/errors.ts'
import { say } from '../../document/text.ts'
import type { Identifier, Linkage } from '../../document/types.ts'
import type { Row } from '../../model/where.ts'
import type { RelatedRows } from '../../read/related-rows.ts'
import type { BelongsTo, MorphTo, Relation } from '../../schema/relation-kinds.ts'
import type { SchemaRegistry } from '../../schema/resource-schema.ts'

export const identifiersOf = (linkage: Linkage): readonly Identifier[] => {
  if (linkage === null) return []
  return isMany(linkage) ? linkage : [linkage]
}

const isMany = (linkage: Linkage): linkage is readonly Identifier[] => Array.isArray(linkage)

interface KeyParts {
  readonly registry: SchemaRegistry
  readonly relation: Relation
  readonly linkage: Linkage
}

/** The columns of this side that point a to-one relation at its target; none where the foreign key is on the other side. */
export async function foreignKeys({ registry, relation, linkage }: KeyParts, related: RelatedRows): Promise<Row> {
  if (relation.kind !== 'belongsTo' && relation.kind !== 'morphTo') return {}
  const [identifier] = identifiersOf(linkage)
  const target = identifier ? await related.target(identifier) : null
  if (relation.kind === 'belongsTo') return target ? pointAt(relation, target) : nowhere(relation.clears)
  const model = identifier && target ? (registry.byType.get(identifier.type)?.model.name ?? null) : null
  if (relation.form.kind === 'columns') return morphColumns(relation.form, model, identifier?.id ?? null)
  return Object.assign(
    {},
    ...relation.form.branches.map((branch) =>
      branch.model === model && target ? pointAt(branch, target) : nowhere(branch.columns),
    ),
  )
}

type Key = Pick<BelongsTo, 'columns' | 'references'>

function pointAt({ columns, references }: Key, target: Row): Row {
  const values = references.map((column) => target[column])
  // A relation may lead to a unique column that is no id, and may be null.
  if (values.some((value) => value == null))
    throw conflict(say`The related resource lacks the value by which it is related.`, '/data')
  return Object.fromEntries(columns.map((column, i) => [column, values[i]]))
}

const nowhere = (columns: readonly string[]): Row => Object.fromEntries(columns.map((column) => [column, null]))

function morphColumns(
  form: Extract<MorphTo['form'], { kind: 'columns' }>,
  model: string | null,
  id: string | null,
): Row {
  const [stored = null] = [...form.models].find(([, name]) => name === model) ?? []
  return { [form.typeColumn]: stored, [form.idColumn]: stored === null ? null : id }
}
