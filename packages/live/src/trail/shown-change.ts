import type { ServerContext } from '@prismapi/core/server/serving'
import { any, columnOf, compare, everything, isEverything, json } from '@prismapi/jsonapi/condition/build'
import type { Condition } from '@prismapi/jsonapi/condition/condition'
import type { Resources } from '@prismapi/jsonapi/model/meta'
import { AnyNull } from '@prismapi/jsonapi/model/prisma-values'
import type { Row } from '@prismapi/jsonapi/model/where'
import { jsonPath } from '@prismapi/jsonapi/query/filter-json'
import type { Relation } from '@prismapi/jsonapi/schema/relation-kinds'
import {
  type Attribute,
  type ResourceSchema,
  type SchemaRegistry,
  schemaOf,
} from '@prismapi/jsonapi/schema/resource-schema'
import { rowOfLoggedKey } from '../row-of-logged-key.ts'
import { type LinkSide, linkActions, linkIds, linkSides } from './links.ts'
import { ShownFields } from './trail-schema.ts'

/** A column of the log, and the field that it is to the caller. */
type Shown = readonly [column: string, field: readonly [name: string, show: (value: unknown) => unknown]]

/** What shows changes of a type. */
type Shower = ReadonlyMap<Shown[0], Shown[1]>

/**
 * Shows the changes of one request as its caller sees them: by the names of documents, and without fields that the
 * caller may not see in some row of the type.
 */
export class ChangeView {
  private readonly ctx: ServerContext
  /** The models of which the caller sees each row. */
  private readonly whole: ReadonlySet<string>
  private readonly named: Named | null
  /** The sides of links that the caller sees, whatever they lead to. */
  readonly sides: readonly LinkSide[]
  private readonly showers = new Map<string, Shower>()

  constructor(ctx: ServerContext, whole: ReadonlySet<string>, named: Named | null) {
    this.ctx = ctx
    this.whole = whole
    this.named = named
    this.sides = linkSides(ctx.server.schemas).filter((side) => this.seesLinks(side))
  }

  show(row: Row): Row {
    if (this.sides.some(({ table }) => table === row.model)) return this.link(row)
    const schema = this.ctx.server.schemas.byModel.get(String(row.model))
    if (!schema) throw new Error(`A change of ${row.model} was read, which is not served.`)
    const key = rowOfLoggedKey(schema, String(row.key))
    return {
      ...row,
      model: schema.type,
      key: key && schema.id.format(key),
      before: this.fields(schema, row.before),
      after: this.fields(schema, row.after),
    }
  }

  /**
   * The condition for changes that show something. If an update changed only fields that the caller does not see, the
   * trail must not reveal when it was, or by whom; `@updatedAt` alone would reveal just that.
   */
  tells(schema: ResourceSchema): Condition {
    const { resources, schemas } = this.ctx.server
    const { columns } = schema.model
    const shown = this.showerOf(schema)
    // A key that changes is another row.
    const isShown = (name: string) => shown.has(name) || schema.id.columns.includes(name)
    if (Object.keys(columns).every(isShown)) return everything
    const log = schemaOf(schemas, 'Change').model
    const hasValue = (side: 'before' | 'after', name: string) =>
      json(columnOf(log, side), jsonPath([name], resources.provider), { operator: 'not', value: AnyNull })
    const changed = Object.values(columns)
      .filter(({ name, isUpdatedAt }) => shown.has(name) && !isUpdatedAt)
      .flatMap(({ name, isNullable }) => [hasValue('before', name), ...(isNullable ? [hasValue('after', name)] : [])])
    return any([compare(columnOf(log, 'action'), 'not', 'update'), ...changed])
  }

  /** Does the caller see a relation of each row, and each row that it may lead to. */
  private seesLinks({ schema, relation }: LinkSide): boolean {
    const access = this.ctx.seen(schema.model.name)
    return this.whole.has(relation.model) && isEverything(access?.fields.get(relation.name) ?? everything)
  }

  /** From the side that was asked for, or from the first one that the caller sees. */
  private link(row: Row): Row {
    const ids = linkIds(String(row.key))
    const sides = this.sides.filter(({ table }) => table === row.model)
    const asked = sides.find(({ schema, own }) => schema === this.named?.schema && ids?.[own] === this.named.id)
    const side = asked ?? sides.find(({ schema }) => this.whole.has(schema.model.name))
    if (!side || !ids) throw new Error(`A change of ${row.model} was read, which is not shown.`)
    const { schema, relation, own } = side
    const target = schemaOf(this.ctx.server.schemas, relation.model)
    const linked = new ShownFields({ [relation.name]: { type: target.type, id: ids[own === 'A' ? 'B' : 'A'] } })
    const none = new ShownFields({ [relation.name]: null })
    const isNew = row.action === 'create'
    return {
      ...row,
      model: schema.type,
      key: ids[own],
      action: linkActions[String(row.action)] ?? row.action,
      before: isNew ? none : linked,
      after: isNew ? linked : none,
    }
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

  /** The trail leaves out converted attributes: the conversion may hide part of the logged value. */
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

/** A resource that the log is asked about. */
export interface Named {
  readonly schema: ResourceSchema
  readonly id: string
}

/** A resource that a text names, `posts:7`; null where there can be none: the log has no changes of changes. */
export function namedResource(byType: SchemaRegistry['byType'], text: string): Named | null {
  const at = text.indexOf(':')
  const schema = byType.get(text.slice(0, at))
  const id = text.slice(at + 1)
  return schema?.id.parse(id) && schema.model.name !== 'Change' ? { schema, id } : null
}

/** How the log of changes writes the key of a resource: databases write several parts with blanks, or without. */
export function keyTexts({ id: { columns, parse } }: ResourceSchema, id: string): readonly string[] {
  const key = parse(id)
  const parts = columns.map((column) => String(key?.[column]))
  if (parts.length === 1) return parts
  return [JSON.stringify(parts), `[${parts.map((part) => JSON.stringify(part)).join(', ')}]`]
}

/** A value of the log as documents have it. */
function documentValue({ kind, column }: Attribute, value: unknown, { enums }: Pick<Resources, 'enums'>): unknown {
  if (Array.isArray(value) && kind !== 'json')
    return value.map((each) => documentValue({ kind, column } as Attribute, each, { enums }))
  if (typeof value !== 'string') return value
  if (kind === 'datetime') return instantOf(value)
  if (kind === 'date') return value.slice(0, 10)
  if (kind === 'time') return /\d\d:\d\d:\d\d(?:\.\d+)?/.exec(value)?.[0].replace(/\.0+$/, '') ?? value
  if (kind === 'bytes') return Buffer.from(value, 'hex').toString('base64')
  if (kind !== 'enum') return value
  const { stored = {} } = enums[column?.type ?? ''] ?? {}
  return Object.keys(stored).find((name) => stored[name] === value) ?? value
}

/** Columns without a zone hold UTC. */
function instantOf(text: string): string {
  const instant = new Date(/(?:Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`)
  return Number.isNaN(instant.getTime()) ? text : instant.toISOString()
}
