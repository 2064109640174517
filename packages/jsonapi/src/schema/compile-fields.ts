import type { ModelMeta, RelationMeta, Resources } from '../model/meta.ts'
import { nearest } from '../model/nearest.ts'
import { columnAttribute, isAttribute, ownAttribute, secretAccess } from './attributes.ts'
import type { Deprecation } from './deprecation.ts'
import type { AttributeOverride } from './fields.ts'
import { type JoinModelRelation, joinModelRelations } from './join-model.ts'
import { fieldName, isFieldName } from './naming.ts'
import type { Renaming, SchemaNotes } from './notes.ts'
import type { Overrides } from './overrides.ts'
import type { MorphToOverride } from './relation-fields.ts'
import { type Relation, targetModels } from './relation-kinds.ts'
import { compileMorphTo, compileRelation, compileThrough, whyNot } from './relations.ts'
import type { Attribute } from './resource-schema.ts'

interface Compilation {
  readonly model: ModelMeta
  readonly resources: Resources
  readonly overrides: Overrides
  readonly notes: SchemaNotes
  /** Models that the server serves: a relation to any other is not offered. */
  readonly isServed: (model: string) => boolean
  /** A column that the server sets, and clients never; null for none beside those that Prisma keeps. */
  readonly kept: string | null
  /** What is said of the end of a model's type. */
  readonly deprecationOf?: (model: string) => Deprecation | null
}

export interface CompiledFields {
  readonly attributes: ReadonlyMap<string, Attribute>
  readonly relations: ReadonlyMap<string, Relation>
}

/**
 * @throws {Error} for a name that cannot be one, and for two fields of
 * one name: JSON:API keeps all of them in one namespace.
 */
export function compileFields(compilation: Compilation): CompiledFields {
  const compiled = compileRelations(compilation).map((relation) => endingWithTargets(relation, compilation))
  const relations = byName(compilation.model, compiled)
  const attributes = compileAttributes(compilation, relations)
  byName(compilation.model, [...relations.values(), ...attributes])
  return { relations, attributes: byName(compilation.model, attributes) }
}

// Where the only types that it leads to will be gone, nothing is left of it either.
function endingWithTargets(relation: Relation, { deprecationOf = () => null }: Compilation): Relation {
  const ends = targetModels(relation).map(deprecationOf)
  const [first] = ends
  if (relation.deprecation || !first || ends.includes(null)) return relation
  return Object.freeze({ ...relation, deprecation: first })
}

function byName<T extends { readonly name: string }>({ name: model }: ModelMeta, fields: readonly T[]): Map<string, T> {
  const named = new Map<string, T>()
  for (const field of fields) {
    const { name } = field
    if (!isFieldName(name))
      throw new Error(
        `${model}: "${name}" cannot be the name of a field. Use letters, digits, - and _ between them, and neither type, id, links nor relationships.`,
      )
    if (named.has(name)) throw new Error(`${model}: two fields are called ${name}. Give one of them another name.`)
    named.set(name, field)
  }
  return named
}

function compileRelations(compilation: Compilation): readonly Relation[] {
  const { model, resources, overrides, notes, isServed } = compilation
  const relations: Relation[] = []
  const parts = new Set(overrides.morphs.flatMap((morph) => morph.relations))
  const names = new Set([...Object.keys(model.columns), ...Object.keys(model.relations)])
  for (const meta of Object.values(model.relations)) {
    const override = overrides.relations.get(meta.name) ?? null
    if (parts.has(meta.name) || (override?.isHidden ?? meta.hidden)) continue
    if (!isServed(meta.model)) {
      noteUnserved(notes, model, meta)
      continue
    }
    const isRenamed = override !== null && override.name !== meta.name
    const name = isRenamed ? override.name : fieldName(model.name, meta.name, (taken) => names.has(taken))
    const reason = whyNot(meta, model, resources)
    const relation = reason === null ? compileRelation(name, meta, model, resources, override) : null
    if (reason !== null) notes.skipped.push({ model: model.name, field: meta.name, reason, isIgnored: true })
    if (!relation) continue
    relations.push(relation)
    if (!isRenamed && name !== meta.name) notes.renamed.push(renaming(model, meta.name, name))
  }
  for (const morph of overrides.morphs) checkModels(morph, resources)
  const morphs = overrides.morphs.map((morph) => compileMorphTo(model, morph, isServed))
  return [...relations, ...compileThroughs(compilation, names), ...morphs]
}

function compileThroughs(
  { model, resources, overrides, notes, isServed }: Compilation,
  taken: ReadonlySet<string>,
): readonly Relation[] {
  return joinModelRelations(model, resources.models).flatMap((through) => {
    const override = overrides.relations.get(through.name) ?? null
    const isHidden = override?.isHidden ?? isConcealed(model, through)
    if (isHidden || !isServed(through.pivot) || !isServed(through.to.model)) return []
    const isRenamed = override !== null && override.name !== through.name
    const name = isRenamed ? override.name : fieldName(model.name, through.name, (each) => taken.has(each))
    if (!isRenamed && through.name !== through.former) notes.renamed.push(renamedThrough(model, through, name))
    return [compileThrough(name, through, { model, resources, override })]
  })
}

// That a server leaves a model out is no surprise; that one cannot be served may be.
function noteUnserved(
  { skipped }: SchemaNotes,
  { name: model, columns }: ModelMeta,
  { name, model: target, foreignKey }: RelationMeta,
): void {
  if (!skipped.some((note) => note.model === target && note.field === null)) return
  const isNeeded = foreignKey?.columns.some((key) => !columns[key]?.isNullable && columns[key]?.default === null)
  const cure = `It is required, so clients create no ${model}, unless a creating hook fills ${foreignKey?.columns.join(' and ')}.`
  skipped.push({ model, field: name, reason: `${target} is not served.${isNeeded ? ` ${cure}` : ''}` })
}

// A schema class that hides the list of links, or what they lead to, does not mean the two of them to be shown as one.
const isConcealed = ({ relations }: ModelMeta, { list, to }: JoinModelRelation): boolean =>
  relations[list]?.hidden === true || to.hidden

function checkModels({ field, columns }: MorphToOverride, { models }: Resources): void {
  for (const name of Object.values(columns?.models ?? {})) {
    if (models[name]) continue
    const meant = nearest(name, Object.keys(models))
    throw new Error(`morphTo('${field}'): there is no model ${name}.${meant ? ` Did you mean ${meant}?` : ''}`)
  }
}

function compileAttributes(
  { model, resources, overrides, notes, kept }: Compilation,
  relations: ReadonlyMap<string, Relation>,
): readonly Attribute[] {
  const attributes: Attribute[] = []
  const morphColumns = new Set(overrides.morphs.flatMap(({ columns }) => (columns ? [columns.type, columns.id] : [])))
  const isTaken = (name: string) =>
    Boolean(model.columns[name]) || relations.has(name) || attributes.some((attribute) => attribute.name === name)
  for (const column of Object.values(model.columns)) {
    const override = overrides.attributes.get(column.name) ?? null
    if (morphColumns.has(column.name) || (!isAttribute(model, column) && !override)) continue
    const access = saysAccess(override) ? null : secretAccess(model, column)
    if (access === 'hidden') notes.hidden.push({ model: model.name, field: column.name, reason: secretReason })
    if (access === 'hidden' || (saysAccess(override) ? override?.isHidden : column.hidden)) continue
    if (access === 'writeOnly') notes.secrets.push({ model: model.name, field: column.name, reason: writeOnlyReason })
    const isRenamed = override !== null && override.name !== column.name
    const name = isRenamed ? override.name : fieldName(model.name, column.name, isTaken)
    if (!isRenamed && name !== column.name) notes.renamed.push(renaming(model, column.name, name))
    attributes.push(
      columnAttribute(name, column, {
        resources,
        override,
        isKept: column.name === kept,
        isSecret: access === 'writeOnly',
      }),
    )
  }
  const own = [...overrides.attributes.values()].filter(({ field, isHidden }) => !model.columns[field] && !isHidden)
  return [...attributes, ...own.map((override) => ownAttribute(override.name, override))]
}

const renamedThrough = (
  model: ModelMeta,
  { name: field, former, list }: JoinModelRelation,
  name: string,
): Renaming => ({
  model: model.name,
  field: list,
  name,
  reason: `what it links was ${former} up to version 0.1. Say relation('${field}').named('${former}') in its schema class to keep that.`,
})

const renaming = (model: ModelMeta, field: string, name: string): Renaming => ({
  model: model.name,
  field,
  name,
  reason: 'JSON:API does not allow the name.',
})

const secretReason = 'its name says that it holds a secret.'
const writeOnlyReason =
  'its name says that it holds a secret. It is accepted and never shown, since rows need it. Write /// @hidden above it where only code fills it, or /// @writeOnly to say so.'

/** Does the application say whether clients see the column. To say that it is write-only is to say that it is there. */
const saysAccess = (override: AttributeOverride | null): boolean =>
  override?.isHidden !== undefined || override?.isWriteOnly === true
