import type { Row } from '../model/where.ts'
import { FieldOptions } from './field-options.ts'
import type { MorphToOverride, RelationOverride } from './relation-fields.ts'

/** What a schema class says of one field; what it leaves out is inferred. Made by the methods of `Schema`. */
export type Field = IdOverride | AttributeOverride | RelationOverride | MorphToOverride

/**
 * Made by `this.id()`: whether and how clients choose ids.
 *
 * @see https://jsonapi.org/format/#crud-creating-client-ids
 * @example
 * export default class VideoSchema extends Schema<'Video'> {
 *   override fields() {
 *     return [this.id().clientGenerated(/^[a-z\d-]{36}$/)]
 *   }
 * }
 */
export class IdOverride {
  /** @internal */
  readonly kind = 'id'
  /** @internal */
  acceptsClientIds = false
  /** @internal */
  clientPattern: RegExp | null = null

  /**
   * Accepts client-generated ids; they must match the pattern, which
   * is inferred from the column (`uuid()`) when it is left out.
   */
  clientGenerated(pattern?: RegExp): this {
    this.acceptsClientIds = true
    this.clientPattern = pattern ?? null
    return this
  }
}

/**
 * Made by `this.attribute('title')`: how an attribute differs from what is inferred.
 *
 * @typeParam R - a row of the model
 * @typeParam V - the value of the column
 * @see https://jsonapi.org/format/#document-resource-object-attributes
 * @example
 * export default class PostSchema extends Schema<'Post'> {
 *   override fields() {
 *     return [
 *       this.attribute('slug').singular(),
 *       this.attribute('excerpt').computed(['content'], ({ content }) => content.slice(0, 140)),
 *     ]
 *   }
 * }
 */
export class AttributeOverride<R = Row, V = unknown> extends FieldOptions {
  /** @internal */
  readonly kind = 'attribute'
  /** @internal */
  isWriteOnly?: boolean
  /** @internal */
  isSortable?: boolean
  /** @internal */
  isFilterable?: boolean
  /** @internal */
  isFilterableByPath = false
  /** @internal */
  isSingular?: boolean
  /** @internal */
  source: { readonly columns: readonly string[]; readonly value: (row: never) => unknown } | null = null
  /** @internal */
  isVirtual = false
  /** @internal */
  isAggregatable = false
  /** @internal */
  isGroupable = false
  /** @internal */
  toDocument: ((value: never) => unknown) | null = null
  /** @internal */
  toColumn: ((value: unknown) => unknown) | null = null

  /** Shows what is hidden by its name or by `@hidden`. */
  visible(): this {
    return this.hidden(false)
  }

  /** Accepted in documents, never shown. */
  writeOnly(): this {
    this.isWriteOnly = true
    return this
  }

  /** `sort` does not take it. */
  notSortable(): this {
    this.isSortable = false
    return this
  }

  /** `filter` does not take it. */
  notFilterable(): this {
    this.isFilterable = false
    this.isFilterableByPath = false
    return this
  }

  /** Json: clients may filter by the values inside of it, by any path: `filter[meta.size.width][gte]=3`. */
  filterableByPath(): this {
    this.isFilterableByPath = true
    return this
  }

  /** `filter[slug]=x` without `page` answers one resource or null. */
  singular(): this {
    this.isSingular = true
    return this
  }

  /**
   * Clients may ask for its figures: `withStats[rating]=avg,min,max`. Of numbers these are `count`,
   * `sum`, `avg`, `min` and `max`, of instants `count`, `min` and `max`, of all others `count`.
   *
   * @throws {Error} at boot, for what is no column with one value, and for what clients never see.
   * @see https://jsonapi.org/format/#document-meta
   */
  aggregatable(): this {
    this.isAggregatable = true
    return this
  }

  /**
   * Clients may group by it: `GET /videos/-stats?groupBy=featured`; by a part of an instant, `groupBy=createdAt:month`.
   *
   * @throws {Error} at boot, for a float, a decimal, Json, bytes and a list, and for what clients never see.
   * @see https://jsonapi.org/format/#document-meta
   */
  groupable(): this {
    this.isGroupable = true
    return this
  }

  /**
   * Shows a value computed from the named columns, which are loaded with the resource, and from no others. Read-only.
   */
  computed<C extends keyof R & string>(columns: readonly C[], value: (row: Pick<R, C>) => unknown): this {
    this.source = { columns, value: value as (row: never) => unknown }
    return this
  }

  /**
   * Accepted in documents and validated, without a column of its own: `password`. A creation or saving hook uses it.
   */
  virtual(): this {
    this.isVirtual = true
    return this
  }

  /** How a column's value is shown: a JSON value. What needs other columns too is `computed`. */
  serializeUsing<Shown extends (value: V) => unknown>(toDocument: Shown): this {
    this.toDocument = toDocument
    return this
  }

  /** How a validated value becomes the column's, in documents and in filters. */
  deserializeUsing(toColumn: (value: unknown) => unknown): this {
    this.toColumn = toColumn
    return this
  }
}
