import { AnyNull } from '@prisma/client/runtime/client'
import { any, columnOf, compare, everything, isEverything, json } from '../../condition/build.ts'
import type { Condition } from '../../condition/condition.ts'
import type { Row } from '../../model/where.ts'
import { jsonPath } from '../../query/filter-json.ts'
import type { Relation } from '../../schema/relation-kinds.ts'
import { type Attribute, type ResourceSchema, schemaOf } from '../../schema/resource-schema.ts'
import type { ServerContext } from '../../server/server-context.ts'
import { keyOf } from '../key-of.ts'
import { documentValue } from './document-value.ts'
import { ShownFields } from './trail-schema.ts'

/** A column of the log, and the field that it is to the caller. */
type Shown = readonly [column: string, field: readonly [name: string, show: (value: unknown) => unknown]]

/** What shows changes of a type. */
type Shower = ReadonlyMap<Shown[0], Shown[1]>

/**
 * Shows the changes of one request as its caller sees them: by names of documents, and without what the caller may not see of some
 * row of the type.
 */
export class ChangeView {
  private readonly ctx: ServerContext
  /** The models of which the caller sees each row. */
  private readonly whole: ReadonlySet<string>
  private readonly showers = new Map<string, Shower>()

  constructor(ctx: ServerContext, whole: ReadonlySet<string>) {
    this.ctx = ctx
    this.whole = whole
  }

  show(row: Row): Row {
    const schema = this.ctx.server.schemas.byModel.get(String(row.model))
    if (!schema) throw new Error(`A change of ${row.model} was read, which is not served.`)
    const key = keyOf(schema, String(row.key))
    return {
      ...row,
      model: schema.type,
      key: key && schema.id.format(key),
      before: this.fields(schema, row.before),
      after: this.fields(schema, row.after),
    }
  }

  /**
   * Holds of changes that show something: of an update that changed nothing else than what the caller does not see, the trail must not tell when it
   * was, nor whose it was. `@updatedAt` alone tells nothing but that.
   */
  tells(schema: ResourceSchema): Condition {
    const { resources, schemas } = this.ctx.server
    const { columns } = schema.model
    const shown = this.showerOf(schema)
    if (Object.keys(columns).every((name) => shown.has(name))) return everything
    const log = schemaOf(schemas, 'Change').model
    const hasValue = (side: 'before' | 'after', name: string) =>
      json(columnOf(log, side), jsonPath([name], resources.provider), { operator: 'not', value: AnyNull })
    const changed = Object.values(columns)
      .filter(({ name, isUpdatedAt }) => shown.has(name) && !isUpdatedAt)
      .flatMap(({ name, isNullable }) => [hasValue('before', name), ...(isNullable ? [hasValue('after', name)] : [])])
    return any([compare(columnOf(log, 'action'), 'not', 'update'), ...changed])
  }

  private fields(schema: ResourceSchema, logged: unknown): ShownFields | null {
    if (logged === null || typeof logged !== 'object') return null
    const shower = this.showerOf(schema)
    const fields = Object.entries(logged).flatMap(([column, value]) => {
      const [name, show] = shower.get(column) ?? []
      return name !== undefined && show ? [[name, show(value)] as const] : []
    })
    return new ShownFields(Object.fromEntries(fields))
  }

  private showerOf(schema: ResourceSchema): Shower {
    const known = this.showers.get(schema.type)
    if (known) return known
    const access = this.ctx.seen(schema.model.name)
    const isSeen = ({ name }: { readonly name: string }) => isEverything(access?.fields.get(name) ?? everything)
    const shower: Shower = new Map([
      ...[...schema.attributes.values()].filter(isSeen).flatMap((attribute) => this.attribute(schema, attribute)),
      ...[...schema.relations.values()].filter(isSeen).flatMap((relation) => this.relation(relation)),
    ])
    this.showers.set(schema.type, shower)
    return shower
  }

  /** A form of the application's own may hide a part of the value, so that the log's does not stand for it. */
  private attribute(schema: ResourceSchema, attribute: Attribute): readonly Shown[] {
    const { name, column, isConverted, writeOnly } = attribute
    const isTrash = name === schema.deletedAtAttribute && !this.ctx.served.trash.has(schema.model.name)
    if (!column || isConverted || writeOnly || isTrash) return []
    return [[column.name, [name, (value) => documentValue(attribute, value, this.ctx.server.resources)]]]
  }

  /** A foreign key names a row: the caller may see each that it could be. */
  private relation(relation: Relation): readonly Shown[] {
    if (relation.kind !== 'belongsTo' || relation.columns.length > 1 || !this.whole.has(relation.model)) return []
    const target = this.ctx.server.schemas.byModel.get(relation.model)
    const [column] = relation.columns
    if (!target || column === undefined || relation.references.join() !== target.id.columns.join()) return []
    const linkage = (value: unknown) => (value === null ? null : { type: target.type, id: String(value) })
    return [[column, [relation.name, linkage]]]
  }
}
