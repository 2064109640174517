import type { ISchema } from 'yup'
import {
  type ColumnOf,
  type ModelName,
  type RelationOf,
  type RowOf,
  type Services,
  type ToOneOf,
  unknownServices,
  type WhereOf,
} from '../model/register.ts'
import { PagePagination } from '../pagination/page-pagination.ts'
import type { PageParams, Paginator } from '../pagination/paginator.ts'
import type { ActionOptions, ActionPlace, ActionRules, DeclaredAction } from './actions.ts'
import type { ExplainedConstraint } from './constraints.ts'
import type { Deprecation } from './deprecation.ts'
import { AttributeOverride, type Field, IdOverride } from './fields.ts'
import type { DeclaredFilter, FilterKind, FilterOptions, HookRequest } from './filters.ts'
import type { PreviewKind } from './previews.ts'
import { type MorphForm, MorphToOverride, RelationOverride } from './relation-fields.ts'
import type { DeclaredSearch } from './search.ts'
import type { DeclaredSort } from './sorts.ts'

/**
 * The value of a column; unknown for an attribute without one.
 *
 * @internal
 */
type ColumnValue<M extends ModelName, Name extends string> = Name extends keyof RowOf<M> ? RowOf<M>[Name] : unknown

/**
 * A name of the model; any where the class is for no model in particular.
 *
 * @internal
 */
type NameOf<M extends ModelName, Name extends string> = ModelName extends M ? string : Name

/**
 * The names that a default order may have: columns, the id, columns behind relations to
 * one, and what only the class declares; `dueAt:nullsLast` where there may be no value.
 *
 * @internal
 */
type SortTerm<
  M extends ModelName,
  Extra extends string,
> = `${'' | '-'}${'id' | NameOf<M, ColumnOf<M>> | Extra | Placed<NullableOf<M> | Extra> | `${ToOneOf<M> | Extra}.${string}`}`

/** @internal */
type Placed<Name extends string> = `${Name}:${'nullsFirst' | 'nullsLast'}`

/** @internal */
type NullableOf<M extends ModelName> = {
  [Name in ColumnOf<M>]: null extends ColumnValue<M, Name> ? Name : never
}[ColumnOf<M>]

/** @internal */
type IncludePath<M extends ModelName, Extra extends string> =
  | NameOf<M, RelationOf<M>>
  | Extra
  | `${RelationOf<M> | Extra}.${string}`

/**
 * An attribute without a column, until it is said where its value comes from.
 *
 * @typeParam R - a row of the model
 */
export interface NewAttribute<R> {
  /** The name in documents and URLs. */
  named(name: string): NewAttribute<R>
  /** Shows a value computed from the named columns. Read-only. */
  computed<C extends keyof R & string>(
    columns: readonly C[],
    value: (row: Pick<R, C>) => unknown,
  ): AttributeOverride<R, unknown>
  /** Accepted in documents and validated, without a column of its own. */
  virtual(): AttributeOverride<R, unknown>
}

/** What `fields()` of a schema class returns; named by a class that others extend. */
export type Fields = readonly Field[]

/**
 * What the application says of one type beyond what its Prisma model says; every member has an inferred default.
 * Lives in `src/app/<server>/<model>.schema.ts` and is the file's default export.
 *
 * An override that names a column or relation that the model lacks is a compile error, and an error at boot. `Extra`
 * names attributes, relations and sorts that only the class declares, where `defaultSort` or `defaultInclude` use them.
 *
 * @example
 * export default class PostSchema extends Schema<'Post'> {
 *   override readonly defaultSort = '-createdAt'
 *   override fields() {
 *     return [this.attribute('deletedAt').hidden(), this.relation('tags').mustValidate()]
 *   }
 * }
 */
export class Schema<M extends ModelName = ModelName, Extra extends string = never> {
  /**
   * The resource type; by default the dash-case plural of the model.
   *
   * @see https://jsonapi.org/format/#document-resource-object-identification
   */
  type?: string
  /**
   * The attribute that people know a resource by, on pages: `override readonly label = 'sku'`. By default the
   * first of `name`, `title`, `label`, `subject`, `email` and `slug` that there is, or else the beginning of a text,
   * such as `content` or `body`, or its type and id.
   */
  declare readonly label?: NameOf<M, ColumnOf<M>> | Extra
  /**
   * How pages show the values of attributes on the page of a resource: `{ content: 'markdown', photo: 'image' }`. What
   * is not named is shown by its kind.
   */
  declare readonly preview?: { readonly [Name in NameOf<M, ColumnOf<M>> | Extra]?: PreviewKind }
  /**
   * The columns of the type's table on pages, beside the label: `override readonly columns = ['author']`. Left out,
   * pages choose at most five.
   */
  declare readonly columns?: readonly (NameOf<M, ColumnOf<M>> | NameOf<M, RelationOf<M>> | Extra)[]
  /** The group of the type in the rail and at home: `override readonly group = 'Editorial'`. */
  readonly group?: string
  /** Before the name of the type on pages: one character, or the path of a picture of the same origin. */
  readonly icon?: string
  /**
   * Resources on a page when the request does not say (docs/specification.md#page-size).
   *
   * @see https://jsonapi.org/format/#fetching-pagination
   */
  perPage = 15
  /** The largest page that may be asked for; by default the server's `limits.maxPageSize`. */
  maxPageSize?: number
  /**
   * The order of collections when the client sends no `sort`, in the
   * syntax of `sort` (`'-dueAt:nullsLast'`); by default the id.
   *
   * @see https://jsonapi.org/format/#fetching-sorting
   */
  readonly defaultSort: '' | SortTerm<M, Extra> | `${SortTerm<M, Extra>},${string}` = ''
  /**
   * Include paths used when the client sends no `include`; by default none.
   *
   * @see https://jsonapi.org/format/#fetching-includes
   */
  readonly defaultInclude: readonly IncludePath<M, Extra>[] = []
  /**
   * Page parameters used when the client sends none; null leaves such an answer unpaginated. A type whose schema says
   * nothing about pagination has page 1. A function computes them, once, at boot.
   */
  // Declared, because a field of its own would lie before the method of a subclass that is written in JavaScript.
  declare defaultPagination?: PageParams | null | (() => PageParams | null)
  /**
   * False: resource objects carry no links. By default they do.
   *
   * @see https://jsonapi.org/format/#document-resource-object-links
   */
  selfLink = true
  /**
   * True or false where the type's collections differ from the
   * server's `viewAnyByView`: list only what the caller may `view`.
   */
  viewAnyByView?: boolean
  /**
   * True or false where the type's resources differ from the server's
   * `showsCan`: say what their caller may do with them.
   */
  showsCan?: boolean
  /**
   * The column that DELETE sets instead of removing the row, and that hides rows once it is set. Where its attribute
   * is not hidden, who may `viewTrashed` sees it, finds deleted rows by id and by `filter[trashed]=with|only`, and
   * restores one by setting it to null; DELETE of a deleted row removes it, for who may `forceDelete`.
   */
  softDelete?: ColumnOf<M>
  /**
   * The column that tells the states of a resource apart, for ETags and `If-Match`: an Int, which the
   * server counts up with every change, or an `@updatedAt`. By default the Int that `@version` stands above
   * in the Prisma schema, or else an `@updatedAt` that clients see; null for none. Clients never set it.
   */
  version?: ColumnOf<M> | null
  /**
   * True: a client that changes a resource has to say which version of it, by `If-Match` or, in atomic operations, by
   * `meta.version`; without it the answer is 428.
   */
  requiresIfMatch = false
  /**
   * The type will be gone, and with it each relation that leads to nothing
   * else: answers at its URLs say so, and the OpenAPI document does.
   *
   * @see https://www.rfc-editor.org/rfc/rfc9745
   * @example
   * export default class VideoSchema extends Schema<'Video'> {
   *   override deprecated = { since: '2026-01-01', sunset: '2026-12-31', link: 'https://example.org/videos' }
   * }
   */
  deprecated?: Deprecation

  /**
   * What clients are told of constraints of the database, by their names: unique ones, checks,
   * exclusions and foreign keys. On SQLite a unique one is called as its index is, by `map` in the
   * Prisma schema. What a trigger throws is called by the `CONSTRAINT` that it names, by its words,
   * or by its SQLSTATE. The answer is 422 at the field; without a field 422 at `/data`, and 409 of
   * unique ones and exclusions. A constraint that is not listed is 409 with the code `constraint`.
   *
   * @throws {Error} at boot, for a field that the type has not.
   * @example
   * export default class VideoSchema extends Schema<'Video'> {
   *   override constraints = { rating_in_stars: { field: 'rating', message: 'A rating has 0 to 5 stars.' } } as const
   * }
   */
  readonly constraints: Readonly<Record<string, ExplainedConstraint>> = {}

  /** What the application handed to `createApi({ services })`. */
  protected readonly services: Services

  /**
   * Clients search texts by their words: `filter[search]=ship`, ranked by `sort=-search`. `npx prismapi search` prints
   * the index. Without it, what has `/// @search` above its column is searched.
   *
   * @example
   * export default class PostSchema extends Schema<'Post'> {
   *   override readonly search = { fields: ['title', 'content'] as const, language: 'english' }
   * }
   */
  declare readonly search?: DeclaredSearch<ColumnOf<M>> | undefined

  /** Made by the framework, once for each server; a class of the application needs no constructor. */
  constructor(services: Services = unknownServices) {
    this.services = services
  }

  /**
   * Statistics leave out groups of fewer rows, which would tell of single ones; by default none.
   *
   * @throws {Error} at boot, for what is no integer from 1 on.
   */
  minimumGroup = 1

  /** Fields that are not as inferred; what is not listed stays inferred. */
  fields(): Fields {
    return []
  }

  /**
   * Filters that stand for no field: `filter[published]=true`. They
   * stand beside the others, in groups and behind relations.
   */
  filters(): readonly DeclaredFilter[] {
    return []
  }

  /** Sorts that stand for no field: `sort=-popularity`. */
  sorts(): readonly DeclaredSort[] {
    return []
  }

  /**
   * What clients can do beside reading and writing:
   * `POST /posts/1/-actions/publish`. A policy decides, by the action's name.
   */
  actions(): readonly DeclaredAction[] {
    return []
  }

  /** How collections of the type are paginated; null for not at all. */
  pagination(): Paginator | null {
    return new PagePagination()
  }

  /** False: clients need no permission (docs/specification.md#disabling-authorization). */
  authorizable(): boolean {
    return true
  }

  /** A condition for the index only: what it hides can still be asked for by id. */
  indexQuery(_request: HookRequest): WhereOf<M> | null {
    return null
  }

  /** A condition for what is shown of a to-many relation that leads to this type. */
  relatableQuery(_request: HookRequest): WhereOf<M> | null {
    return null
  }

  /**
   * The id of the type.
   *
   * @example
   * export default class VideoSchema extends Schema<'Video'> {
   *   override fields() {
   *     return [this.id().clientGenerated()]
   *   }
   * }
   */
  protected id(): IdOverride {
    return new IdOverride()
  }

  /**
   * A column of the model, or an attribute of its own that is `computed` or `virtual`.
   *
   * @example
   * export default class UserSchema extends Schema<'User'> {
   *   override fields() {
   *     return [this.attribute('email').notSortable(), this.attribute('password').virtual().writeOnly()]
   *   }
   * }
   */
  protected attribute<Name extends NameOf<M, ColumnOf<M>>>(
    name: Name,
  ): AttributeOverride<RowOf<M>, ColumnValue<M, Name>>
  /** An attribute that is no column: `computed` or `virtual` says which. */
  protected attribute(name: string): NewAttribute<RowOf<M>>
  protected attribute(name: string): AttributeOverride<RowOf<M>, never> {
    return new AttributeOverride(name)
  }

  /**
   * A relation of the model.
   *
   * @example
   * export default class PostSchema extends Schema<'Post'> {
   *   override fields() {
   *     return [this.relation('comments').countable()]
   *   }
   * }
   */
  protected relation(name: RelationOf<M>): RelationOverride {
    return new RelationOverride(name)
  }

  /**
   * A polymorphic to-one relation; the Prisma relations that it is made of are no relations of their own any more.
   *
   * @example
   * export default class CommentSchema extends Schema<'Comment'> {
   *   override fields() {
   *     return [this.morphTo('commentable', ['post', 'video'])]
   *   }
   * }
   */
  protected morphTo(
    name: string,
    form: MorphForm<NameOf<M, RelationOf<M>>, NameOf<M, ColumnOf<M>>, NameOf<M, ModelName>>,
  ): MorphToOverride {
    return new MorphToOverride(name, form)
  }

  /**
   * A filter that stands for no field.
   *
   * @see https://jsonapi.org/format/#fetching-filtering
   * @example
   * export default class PostSchema extends Schema<'Post'> {
   *   override filters() {
   *     return [
   *       this.filter('published', {
   *         kind: 'boolean',
   *         where: (published) => (published ? { publishedAt: { lte: new Date() } } : { publishedAt: null }),
   *       }),
   *     ]
   *   }
   * }
   */
  protected filter<
    const V extends string = string,
    K extends FilterKind = 'string',
    L extends boolean = false,
    R extends ISchema<unknown> = never,
  >(name: string, options: FilterOptions<WhereOf<M>, K, V, L, R>): DeclaredFilter {
    const { kind = 'string', values = null, rule = null, list: isList = false, description = null } = options
    const where = options.where as unknown as DeclaredFilter['where']
    return { name, kind, values, rule, isList, description, deprecation: options.deprecated ?? null, where }
  }

  /**
   * A sort that stands for no field: columns by Prisma's names, `-` for descending,
   * also those of to-one relations (`author.name`), and numbers of related rows
   * (`comments.count`). `-` before its own name turns every one of them round.
   *
   * @see https://jsonapi.org/format/#fetching-sorting
   * @example
   * export default class PostSchema extends Schema<'Post'> {
   *   override sorts() {
   *     return [this.sort('popularity', 'comments.count', 'publishedAt')]
   *   }
   * }
   */
  protected sort(
    name: string,
    ...terms: readonly (ColumnOf<M> | `-${ColumnOf<M>}` | `${string}.${string}`)[]
  ): DeclaredSort {
    return { name, terms }
  }

  /**
   * A custom action. Its handler runs inside of one transaction.
   *
   * @example
   * export default class PostSchema extends Schema<'Post'> {
   *   override actions() {
   *     return [
   *       this.action('publish', {
   *         handle: ({ row, db }) => db.post.update({ where: { id: row.id }, data: { publishedAt: new Date() } }),
   *       }),
   *     ]
   *   }
   * }
   */
  protected action<
    On extends ActionPlace = 'member',
    A extends ModelName = M,
    R extends ActionRules = Record<never, never>,
    T extends ActionRules = Record<never, never>,
    Q extends ActionRules = Record<never, never>,
  >(name: string, options: ActionOptions<M, On, A, R, T, Q>): DeclaredAction {
    return { name, ...options } as DeclaredAction
  }
}

/** The schema class of any model. */
export type SchemaClass = new (services?: Services) => AnySchema

/**
 * A schema class's instance, of whatever model.
 *
 * @internal
 */
export interface AnySchema
  extends Omit<
    Schema<never>,
    | 'columns'
    | 'defaultInclude'
    | 'defaultSort'
    | 'indexQuery'
    | 'label'
    | 'preview'
    | 'relatableQuery'
    | 'search'
    | 'softDelete'
    | 'version'
  > {
  readonly columns?: readonly string[]
  readonly defaultInclude: readonly string[]
  readonly defaultSort: string
  readonly label?: string
  readonly preview?: Readonly<Record<string, PreviewKind | undefined>>
  readonly search?: DeclaredSearch | undefined
  readonly softDelete?: string
  readonly version?: string | null
  indexQuery(request: HookRequest): unknown
  relatableQuery(request: HookRequest): unknown
}
