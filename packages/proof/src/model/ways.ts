import type { CompiledServer } from '@prismapi/core/server/compile'
import { fateOf, type ModelMeta, type RelationMeta, type Resources } from '@prismapi/jsonapi/model/meta'
import {
  exclusiveKeys,
  foreignKeyColumns,
  type HasMany,
  type HasOne,
  isKeptByTarget,
  isToMany,
  type ManyThrough,
  type Relation,
} from '@prismapi/jsonapi/schema/relation-kinds'
import { isKeyAttribute, isWritable, type ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { behind, both, either, type Formula, negated, never, opaque, somewhere } from '../formula.ts'

// Other ways in which requests change rows of a model than the one that the policies have the action for.

/** How a row is changed, made or removed by a request that is about something else. */
export interface Way {
  /** `update of User, relation posts`: the request that does it. */
  readonly by: string
  /** Of which rows a caller may do it so. */
  readonly formula: Formula
  /** What it changes of the row, by names of documents; null for what may be anything. */
  readonly fields: readonly string[] | null
}

/** The actions that rows are changed, made and removed by. */
export const changing = ['create', 'update', 'delete', 'forceDelete'] as const
export type Changing = (typeof changing)[number]
export const isChanging = (action: string): action is Changing => (changing as readonly string[]).includes(action)

/** What one kind of caller may do on a server. */
export interface Allowing {
  readonly server: CompiledServer
  /** When the action is allowed; never where the server has no such action. */
  allowed(model: string, action: string): Formula
  /** Of which rows a field may be written. */
  written(model: string, action: 'create' | 'update', field: string): Formula
  /** The rows that may be named in a document. */
  named(model: string): Formula
  /** What a link asks about the row that it changes: authorizer or policy allow it, no request class denies it. */
  byLink(model: string, action: Changing): Formula
}

/** The ways but for those of the application's own code. */
export function waysOf(schema: ResourceSchema, action: Changing, allowing: Allowing): readonly Way[] {
  const ways = new Ways(schema, allowing)
  return ways.of(action).filter(({ formula }) => formula !== never)
}

class Ways {
  private readonly schema: ResourceSchema
  private readonly model: ModelMeta
  private readonly allowing: Allowing
  private readonly resources: Resources

  constructor(schema: ResourceSchema, allowing: Allowing) {
    this.schema = schema
    this.model = schema.model
    this.allowing = allowing
    this.resources = allowing.server.resources
  }

  of(action: Changing): readonly Way[] {
    switch (action) {
      case 'create':
        return this.pivots('create')
      case 'update':
        return [...this.endpoints(), ...this.links(), ...this.takenOver(), ...this.cleared(), ...this.rekeyed()]
      case 'delete':
        return this.schema.deletedAt === null
          ? [...this.detached(), ...this.pivots('delete'), ...this.removed()]
          : [...this.detached(), ...this.pivots('delete'), ...this.removed(kept(this.schema.deletedAt))]
      case 'forceDelete':
        return this.schema.deletedAt === null ? [] : this.removed(negated(kept(this.schema.deletedAt)))
      default:
        return action satisfies never
    }
  }

  /** A relation whose key the row has itself, by the URL of the relationship. */
  private endpoints(): readonly Way[] {
    const { schema, model, allowing } = this
    return [...schema.relations.values()]
      .filter((relation) => foreignKeyColumns(relation).length > 0 && isWritable(schema, relation))
      .map((relation) => {
        const action = `update${suffix(relation.name)}`
        const formula = both(
          allowing.allowed(model.name, action),
          allowing.written(model.name, 'update', relation.name),
        )
        return { by: `${action} of ${model.name}`, formula, fields: this.fieldsOf(foreignKeyColumns(relation)) }
      })
  }

  /** A relation of another type whose key is in the row. Its policy is asked, too, unless a schema class says no. */
  private links(): readonly Way[] {
    return this.relationsHere(isLink).flatMap(([parent, relation]) => {
      const { asksUpdate, inverse } = relation
      if (asksUpdate && this.isDoneByItself('update')) return []
      const row = both(this.allowing.named(this.model.name), ...(asksUpdate ? [this.asked(relation)] : []))
      return this.writes(parent, relation, relation.isDetachable ? inverse : null).map(({ verb, formula }) => ({
        by: `${verb} of ${parent.model.name}, relation ${relation.name}`,
        formula: both(row, formula),
        fields: this.fieldsOf(relation.columns),
      }))
    })
  }

  /** A row that loses its partner in a one-to-one to another of its type. Its own policy is asked. */
  private takenOver(): readonly Way[] {
    const { schema, model } = this
    if (this.isDoneByItself('update')) return []
    return [...schema.relations.values()].flatMap((relation) =>
      exclusiveKeys(relation).flatMap(({ columns }) =>
        this.writes(schema, relation, null).map(({ verb, formula }) => ({
          by: `${verb} of ${model.name}, relation ${relation.name}`,
          formula: both(this.asked({ columns }), formula),
          fields: this.fieldsOf(columns),
        })),
      ),
    )
  }

  /** The row's own policy, as a link asks it. */
  private asked({ columns }: Pick<HasMany, 'columns'>): Formula {
    const { allowing, model } = this
    const fields = this.fieldsOf(columns).map((field) => allowing.written(model.name, 'update', field))
    return both(allowing.byLink(model.name, 'update'), ...fields)
  }

  /** A row that leaves a relation which it cannot be without. */
  private detached(): readonly Way[] {
    return this.relationsHere(isLink).flatMap(([parent, relation]) => {
      if (relation.kind !== 'hasMany' || !relation.deleteOnDetach || relation.isDetachable) return []
      const formula = both(this.allowing.named(this.model.name), this.unlinks(parent, relation, relation.inverse))
      return [{ by: `update of ${parent.model.name}, relation ${relation.name}`, formula, fields: null }]
    })
  }

  /** Rows of a join model are made and removed with the link that they are; their policy is asked. */
  private pivots(action: 'create' | 'delete'): readonly Way[] {
    const { allowing, model } = this
    const isPivot = (relation: Relation): relation is ManyThrough =>
      relation.kind === 'manyThrough' && relation.pivot.model === model.name
    return this.relationsHere(isPivot).flatMap(([parent, relation]) => {
      if (relation.asksUpdate && this.isDoneByItself(action)) return []
      const row = both(
        ...(action === 'delete' ? [allowing.named(model.name)] : []),
        ...(relation.asksUpdate ? [allowing.byLink(model.name, action)] : []),
      )
      const writes =
        action === 'create'
          ? this.writes(parent, relation, null)
          : [{ verb: 'update', formula: this.unlinks(parent, relation, relation.pivot.from.name) }]
      return writes.map(({ verb, formula }) => ({
        by: `${verb} of ${parent.model.name}, relation ${relation.name}`,
        formula: both(row, formula),
        fields: null,
      }))
    })
  }

  /** The database clears the key where the row that it leads to is removed. */
  private cleared(): readonly Way[] {
    return keysOf(this.model)
      .filter((relation) => fateOf(this.model, relation) === 'cleared')
      .map((relation) => ({
        by: `delete of ${relation.model}, onDelete of ${this.model.name}.${relation.name}`,
        formula: behind(relation.name, this.gone(relation.model, [])),
        fields: this.fieldsOf(relation.foreignKey.columns),
      }))
  }

  /** The database may change the key with the column that it leads to. */
  private rekeyed(): readonly Way[] {
    return keysOf(this.model).flatMap((relation) => {
      const target = this.allowing.server.schemas.byModel.get(relation.model)
      const changed = [...(target?.attributes.values() ?? [])].filter(
        (attribute) =>
          attribute.column !== null &&
          relation.foreignKey.references.includes(attribute.column.name) &&
          !attribute.readOnly &&
          !isKeyAttribute(target as ResourceSchema, attribute),
      )
      const by = `update of ${relation.model}, onUpdate of ${this.model.name}.${relation.name}`
      return changed.map(({ name }) => ({
        by,
        formula: behind(
          relation.name,
          both(
            this.allowing.allowed(relation.model, 'update'),
            this.allowing.written(relation.model, 'update', name),
            opaque(`${by}: the database decides`),
          ),
        ),
        fields: this.fieldsOf(relation.foreignKey.columns),
      }))
    })
  }

  /** The database removes the row with one that it leads to. */
  private removed(...given: readonly Formula[]): readonly Way[] {
    return cascadesOf(this.model).map((relation) => ({
      by: `delete of ${relation.model}, onDelete of ${this.model.name}.${relation.name}`,
      formula: both(...given, behind(relation.name, this.gone(relation.model, [this.model.name]))),
      fields: null,
    }))
  }

  /** Which rows of a model a request removes for good, itself or with others. */
  private gone(name: string, below: readonly string[]): Formula {
    const path = [...below, name]
    const withOthers = cascadesOf(this.modelOf(name)).map((relation) => {
      if (!path.includes(relation.model)) return behind(relation.name, this.gone(relation.model, path))
      // Rows that go with rows that go with rows of the same model: how far up that goes, no formula says.
      const first = this.modelsAbove(relation.model).map((above) => somewhere(above, this.goneByItself(above)))
      const far = opaque(`${name} goes with ${relation.model}, and that with others: no formula says how far`)
      return both(either(...first), far)
    })
    return either(this.goneByItself(name), ...withOthers)
  }

  private goneByItself(name: string): Formula {
    const { allowing } = this
    const schema = allowing.server.schemas.byModel.get(name)
    if (!schema || schema.deletedAt !== null) return allowing.allowed(name, 'forceDelete')
    const ways = new Ways(schema, allowing)
    const others = [...ways.detached(), ...ways.pivots('delete')].map(({ formula }) => formula)
    return either(allowing.allowed(name, 'delete'), ...others)
  }

  /** The model, and those whose rows it goes with, or goes with them. */
  private modelsAbove(name: string): readonly string[] {
    const found = new Set([name])
    for (const each of found) for (const { model } of cascadesOf(this.modelOf(each))) found.add(model)
    return [...found]
  }

  private modelOf(name: string): ModelMeta {
    return this.resources.models[name] as ModelMeta
  }

  /** The requests that write a relation of another type, but for those that only take away, and when. */
  private writes(parent: ResourceSchema, relation: Relation, back: string | null) {
    const { allowing } = this
    const { name } = parent.model
    const isCreated = parent.operations.has('create') && !relation.readOnly
    const created = both(allowing.allowed(name, 'create'), allowing.written(name, 'create', relation.name))
    const updated = either(
      somewhere(name, this.changes(parent, relation, ['update', ...verbs(relation, 'update', 'attach')])),
      ...(back === null ? [] : [this.unlinks(parent, relation, back)]),
    )
    return [{ verb: 'update', formula: updated }, ...(isCreated ? [{ verb: 'create', formula: created }] : [])]
  }

  /** The requests that take a row out of a relation of the row that it is in. */
  private unlinks(parent: ResourceSchema, relation: Relation, back: string): Formula {
    return behind(back, this.changes(parent, relation, ['update', ...verbs(relation, 'update', 'detach')]))
  }

  private changes(parent: ResourceSchema, relation: Relation, actions: readonly string[]): Formula {
    if (!isWritable(parent, relation)) return never
    const { allowing } = this
    const { name } = parent.model
    return both(
      either(...actions.map((action) => allowing.allowed(name, action))),
      allowing.written(name, 'update', relation.name),
    )
  }

  /** All that a link may do is allowed by the action itself as well, so that a link changes no more. */
  private isDoneByItself(action: 'create' | 'update' | 'delete'): boolean {
    return this.schema.operations.has(action)
  }

  /** Relations of any type that lead to rows of this model. */
  private relationsHere<R extends Relation>(isOne: (relation: Relation, model: ModelMeta) => relation is R) {
    return [...this.allowing.server.schemas.byModel.values()].flatMap((parent) =>
      [...parent.relations.values()]
        .filter((relation): relation is R => isOne(relation, this.model))
        .map((relation) => [parent, relation] as const),
    )
  }

  /** What documents call the columns. */
  private fieldsOf(columns: readonly string[]): readonly string[] {
    const isOne = (column: string) => columns.includes(column)
    const { relations, attributes } = this.schema
    return [
      ...[...relations.values()].filter((relation) => foreignKeyColumns(relation).some(isOne)),
      ...[...attributes.values()].filter(({ column }) => column !== null && isOne(column.name)),
    ].map(({ name }) => name)
  }
}

const isLink = (relation: Relation, { name }: ModelMeta): relation is HasMany | HasOne =>
  isKeptByTarget(relation) && relation.model === name

const suffix = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

const verbs = (relation: Relation, ...of: readonly ('update' | 'attach' | 'detach')[]): readonly string[] =>
  (isToMany(relation) ? of : of.filter((verb) => verb === 'update')).map((verb) => verb + suffix(relation.name))

type Keyed = RelationMeta & { readonly foreignKey: NonNullable<RelationMeta['foreignKey']> }

/** The relations whose keys are columns of the model. */
const keysOf = ({ relations }: ModelMeta): readonly Keyed[] =>
  Object.values(relations).filter((relation): relation is Keyed => relation.foreignKey !== null)

const cascadesOf = (model: ModelMeta): readonly Keyed[] =>
  keysOf(model).filter(({ onDelete }) => onDelete === 'Cascade')

/** The row was not deleted softly. */
export const kept = (column: string): Formula => ({
  kind: 'compare',
  column,
  operator: 'equals',
  value: { value: null },
  mode: null,
})
