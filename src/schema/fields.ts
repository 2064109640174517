import type { Row } from '../model/where.ts'

/** What a schema class says of one field; what it leaves out is inferred. Made by the methods of `Schema`. */
export type Field = IdOverride | AttributeOverride | RelationOverride | MorphToOverride

interface Visibility {
  name: string
  isHidden?: boolean
  readOnly?: boolean
}

/** `this.id()`: whether and how clients choose ids. */
export class IdOverride {
  readonly kind = 'id'
  acceptsClientIds = false
  clientPattern: RegExp | null = null

  /** Accepts client-generated ids; they must match the pattern, which is inferred from the column (`uuid()`) when it is left out. */
  clientGenerated(pattern?: RegExp): this {
    this.acceptsClientIds = true
    this.clientPattern = pattern ?? null
    return this
  }
}

/** `this.attribute('title')` and `this.attribute('excerpt').computed(…)`: of a row, and of a value of its column. */
export class AttributeOverride<R = Row, V = unknown> implements Visibility {
  readonly kind = 'attribute'
  /** The column, or the name of an attribute that has none. */
  readonly field: string
  name: string
  isHidden?: boolean
  readOnly?: boolean
  isWriteOnly?: boolean
  isSortable?: boolean
  isFilterable?: boolean
  isFilterableByPath = false
  isSingular?: boolean
  source: { readonly columns: readonly string[]; readonly value: (row: never) => unknown } | null = null
  isVirtual = false
  toDocument: ((value: never) => unknown) | null = null
  toColumn: ((value: unknown) => unknown) | null = null

  constructor(field: string) {
    this.field = field
    this.name = field
  }

  /** The name in documents and URLs. */
  named(name: string): this {
    this.name = name
    return this
  }

  /** Neither read, written, filtered, sorted nor counted by. */
  hidden(isHidden = true): this {
    this.isHidden = isHidden
    return this
  }

  /** Shows what is hidden by its name or by `@hidden`. */
  visible(): this {
    return this.hidden(false)
  }

  /** Ignored in documents that clients send. */
  asReadOnly(readOnly = true): this {
    this.readOnly = readOnly
    return this
  }

  /** Accepted in documents, never shown. */
  writeOnly(): this {
    this.isWriteOnly = true
    return this
  }

  notSortable(): this {
    this.isSortable = false
    return this
  }

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

  /** Shows a value computed from the named columns, which are loaded with the resource, and from no others. Read-only. */
  computed<C extends keyof R & string>(columns: readonly C[], value: (row: Pick<R, C>) => unknown): this {
    this.source = { columns, value: value as (row: never) => unknown }
    return this
  }

  /** Accepted in documents and validated, without a column of its own: `password`. A creation or saving hook uses it. */
  virtual(): this {
    this.isVirtual = true
    return this
  }

  /** How a column's value is shown: a JSON value. What needs other columns too is `computed`. */
  serializeUsing(toDocument: (value: V) => unknown): this {
    this.toDocument = toDocument
    return this
  }

  /** How a validated value becomes the column's, in documents and in filters. */
  deserializeUsing(toColumn: (value: unknown) => unknown): this {
    this.toColumn = toColumn
    return this
  }
}

class RelationOptions implements Visibility {
  readonly field: string
  name: string
  isHidden?: boolean
  readOnly?: boolean
  isIncludable?: boolean
  withLinks?: boolean
  showsData = false
  validatesAlways = false
  validatesNever = false

  constructor(field: string) {
    this.field = field
    this.name = field
  }

  named(name: string): this {
    this.name = name
    return this
  }

  hidden(isHidden = true): this {
    this.isHidden = isHidden
    return this
  }

  /** Endpoints that change it do not exist, and documents that name it change nothing. */
  asReadOnly(readOnly = true): this {
    this.readOnly = readOnly
    return this
  }

  /** Is not, and does not continue, an include path. */
  cannotInclude(): this {
    this.isIncludable = false
    return this
  }

  /** Linkage is part of every resource object, included or not. */
  alwaysShowData(): this {
    this.showsData = true
    return this
  }

  withoutLinks(): this {
    this.withLinks = false
    return this
  }

  /** Its current value is part of the data that an update validates. */
  mustValidate(): this {
    this.validatesAlways = true
    return this
  }

  /** Its current value is not part of the data that an update validates. */
  notValidated(): this {
    this.validatesNever = true
    return this
  }
}

/** `this.relation('tags')`. */
export class RelationOverride extends RelationOptions {
  readonly kind = 'relation'
  paginatesByDefault = true
  deletesOnDetach = false
  isCountable = false

  /** The target's default pagination does not apply when it is read through this relation. */
  withoutDefaultPagination(): this {
    this.paginatesByDefault = false
    return this
  }

  /**
   * To-many: `withCount=<name>` shows the number of its resources, and so does every answer about the relation itself.
   * Filters and pages do not change it; what may not be seen is not counted.
   */
  countable(): this {
    this.isCountable = true
    return this
  }

  /** A row that is detached, and that cannot be without its parent, is deleted. */
  deleteOnDetach(): this {
    this.deletesOnDetach = true
    return this
  }
}

/** `this.morphTo('commentable', …)`. */
export class MorphToOverride extends RelationOptions {
  readonly kind = 'morphTo'
  /** Prisma relations of the model, of which at most one is set. */
  readonly relations: readonly string[]
  readonly columns: {
    readonly type: string
    readonly id: string
    readonly models: Readonly<Record<string, string>>
  } | null

  constructor(field: string, form: MorphForm) {
    super(field)
    this.relations = Array.isArray(form) ? form : []
    this.columns = Array.isArray(form) ? null : (form as MorphToOverride['columns'])
  }
}

/**
 * The two ways to store a polymorphic relation: relations of the model, of which at most one is set (`['post', 'video']`),
 * or two columns with the models by what the type column stores (`{ type: 'ownerType', id: 'ownerId', models: { post: 'Post' } }`).
 */
export type MorphForm =
  | readonly string[]
  | { readonly type: string; readonly id: string; readonly models: Readonly<Record<string, string>> }
