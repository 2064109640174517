import { FieldOptions } from './field-options.ts'

/**
 * What relations of every kind can be told, to one type or to several.
 *
 * @example
 * export default class PostSchema extends Schema<'Post'> {
 *   override fields() {
 *     return [this.relation('tags').named('labels').alwaysShowData().mustValidate()]
 *   }
 * }
 */
export class RelationOptions extends FieldOptions {
  /** @internal */
  isIncludable?: boolean
  /** @internal */
  withLinks?: boolean
  /** @internal */
  showsData = false
  /** @internal */
  validatesAlways = false
  /** @internal */
  validatesNever = false

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

  /** The relationship object has no links. */
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

/**
 * Made by `this.relation('tags')`: how a relation differs from what is inferred.
 *
 * @see https://jsonapi.org/format/#document-resource-object-relationships
 * @example
 * export default class PostSchema extends Schema<'Post'> {
 *   override fields() {
 *     return [this.relation('author').asReadOnly(), this.relation('comments').countable().cannotInclude()]
 *   }
 * }
 */
export class RelationOverride extends RelationOptions {
  /** @internal */
  readonly kind = 'relation'
  /** @internal */
  paginatesByDefault = true
  /** @internal */
  deletesOnDetach = false
  /** @internal */
  isCountable = false
  /** @internal */
  isAlwaysVisible = false
  /** @internal */
  isGroupable = false
  /** @internal */
  isWithoutUpdatePolicy = false

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

  /**
   * To-one: who sees a row sees what it leads to, whatever the scopes of the target's model say. The application
   * promises it; the framework does not check, and if it is not so, sorts tell of hidden values. Prisma Client
   * needs it to sort collections by what lies behind the relation. Otherwise such sorts take what a scope hides for
   * null without it, and it saves the database that question; a `defaultSort` behind a scope is kept only with it.
   */
  alwaysVisible(): this {
    this.isAlwaysVisible = true
    return this
  }

  /**
   * To-one: clients may group by it: `GET /posts/-stats?groupBy=author`.
   * A target that may not be seen is the group of null.
   *
   * @throws {Error} at boot, where the foreign key is no column of the model.
   * @see https://jsonapi.org/format/#document-meta
   */
  groupable(): this {
    this.isGroupable = true
    return this
  }

  /**
   * Links that are kept in the row of the other type, whose foreign key they are: who may write the relation
   * may make and end such links, whether that row's policy allows its `update` or not. Where a model of its
   * own keeps the links, its `create` and `delete` are not asked. Boot and `doctor` name the relation.
   *
   * @throws {Error} at boot, where no other row is changed, so that no policy would be asked.
   * @example
   * export default class UserSchema extends Schema<'User'> {
   *   override fields() {
   *     return [this.relation('videos').withoutUpdatePolicy()]
   *   }
   * }
   */
  withoutUpdatePolicy(): this {
    this.isWithoutUpdatePolicy = true
    return this
  }

  /**
   * A row that is detached, and that cannot be without its parent, is
   * deleted: softly where its schema says so, and with its hooks.
   */
  deleteOnDetach(): this {
    this.deletesOnDetach = true
    return this
  }
}

/**
 * Made by `this.morphTo('commentable', …)`: a relation to one resource of several types.
 *
 * @see https://jsonapi.org/format/#document-resource-object-relationships
 * @example
 * export default class CommentSchema extends Schema<'Comment'> {
 *   override fields() {
 *     return [this.morphTo('commentable', ['post', 'video']).alwaysShowData()]
 *   }
 * }
 */
export class MorphToOverride extends RelationOptions {
  /** @internal */
  readonly kind = 'morphTo'
  /** Prisma relations of the model, of which at most one is set. */
  readonly relations: readonly string[]
  /** @internal */
  readonly columns: {
    readonly type: string
    readonly id: string
    readonly models: Readonly<Record<string, string>>
  } | null

  /** `this.morphTo(field, form)` does it. */
  constructor(field: string, form: MorphForm) {
    super(field)
    this.relations = Array.isArray(form) ? form : []
    this.columns = Array.isArray(form) ? null : (form as MorphToOverride['columns'])
  }
}

/**
 * The two ways to store a polymorphic relation: relations of the model, of which at most
 * one is set (`['post', 'video']`), or two columns with the models by what the type
 * column stores (`{ type: 'ownerType', id: 'ownerId', models: { post: 'Post' } }`).
 */
export type MorphForm<Relation extends string = string, Column extends string = string, Model extends string = string> =
  | readonly Relation[]
  | { readonly type: Column; readonly id: Column; readonly models: Readonly<Record<string, Model>> }
