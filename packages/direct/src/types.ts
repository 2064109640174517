import type { Identifier, Meta } from '@prismapi/jsonapi/document/types'
import type {
  AttributeOf,
  BasePathParams,
  ModelName,
  OwnFieldsOf,
  OwnFiltersOf,
  RelationOf,
  RowOf,
  TargetOf,
  ToManyOf,
  ToOneOf,
} from '@prismapi/jsonapi/model/register'
import type { Limits } from '@prismapi/jsonapi/request/limits'

// What `api.as` takes and answers with, by the Prisma schema that `Register` names.

/** A value as documents write it: dates and times as ISO 8601, large and decimal numbers as texts, bytes as base64. */
export type DocumentValue<T> = T extends Date | bigint | Uint8Array | { toFixed(): string; precision(): number }
  ? string
  : T

/**
 * A value as an application may write it: as documents do, or as Prisma Client does.
 *
 * @internal
 */
type SentValue<T> = T | DocumentValue<T>

/** An id: of several columns, joined as documents do. */
export type RowId = string | number | bigint

/** What tells which resource is meant: its id, its identifier, or a row that was answered. */
export type RowReference = RowId | { readonly type?: string; readonly id: string }

/**
 * The attributes of a row: all of them for a job, and for users and guests those that they may see.
 *
 * @internal
 */
type AttributesOf<M extends ModelName> = {
  readonly [Name in AttributeOf<M>]: DocumentValue<RowOf<M>[Name & keyof RowOf<M>]>
} & Readonly<OwnFieldsOf<M>>

/** @internal */
type Head<Path extends string> = Path extends `${infer Name}.${string}` ? Name : Path
/** @internal */
type Tail<Path extends string, Name extends string> = Path extends `${Name}.${infer Rest}` ? Rest : never

/** @internal */
type RelationsOf<M extends ModelName, Path extends string> = {
  readonly [Name in ToOneOf<M>]?: Name extends Head<Path>
    ? SeenRow<TargetOf<M, Name>, Tail<Path, Name>> | null
    : Identifier | null
} & {
  readonly [Name in ToManyOf<M>]?: Name extends Head<Path>
    ? readonly SeenRow<TargetOf<M, Name>, Tail<Path, Name>>[]
    : readonly Identifier[]
}

/** What every row has. */
export interface RowHead {
  /** The resource type, `blog-posts`. */
  readonly type: string
  /** Always a text. */
  readonly id: string
}

/**
 * A row as its caller sees it: attributes by name, relationships as identifiers, and included rows in their place. A
 * field that the caller may not see is absent.
 *
 * @typeParam Path - the paths of `include`
 */
export type SeenRow<M extends ModelName, Path extends string = never> = RowHead &
  Partial<AttributesOf<M>> &
  RelationsOf<M, Path>

/** A row with all of its attributes, as a job sees it. */
export type WholeRow<M extends ModelName, Path extends string = never> = RowHead &
  AttributesOf<M> &
  RelationsOf<M, Path>

/** Who is given rows: a job sees each attribute, users and guests those that they may see. */
export type Seeing = 'all' | 'some'

/** A row as it is answered. */
export type RowSeen<S extends Seeing, M extends ModelName, Path extends string, Q = unknown> = S extends 'all'
  ? Q extends { readonly fields: object }
    ? SeenRow<M, Path>
    : WholeRow<M, Path>
  : SeenRow<M, Path>

/** A path of `include`: up to three relations, with dots between them. */
export type IncludePath<M extends ModelName, Depth extends readonly unknown[] = [1, 1]> =
  | RelationOf<M>
  | (Depth extends readonly [unknown, ...infer Rest]
      ? { [Name in RelationOf<M>]: `${Name}.${IncludePath<TargetOf<M, Name>, Rest>}` }[RelationOf<M>]
      : never)

/** The attributes and relationships that rows show, by model: `{ Post: ['title'] }`. Other models show all. */
export type FieldsQuery = {
  readonly [M in ModelName]?: readonly (AttributeOf<M> | RelationOf<M> | (keyof OwnFieldsOf<M> & string))[]
}

/** How a row is shown. */
export interface RowQuery<M extends ModelName, Path extends string = string> {
  /** Relations whose rows stand in the place of their identifiers: `['author', 'comments.author']`. */
  readonly include?: readonly (Path & IncludePath<M>)[]
  /** `{ Post: ['title'] }`: the server reads no other columns. */
  readonly fields?: FieldsQuery
}

/** @internal */
type Operators<T> = {
  readonly [Name in 'equals' | 'not' | 'lt' | 'lte' | 'gt' | 'gte']?: SentValue<T>
} & {
  readonly [Name in 'in' | 'notIn' | 'hasSome' | 'hasEvery']?: readonly SentValue<T>[]
} & {
  readonly [Name in
    | 'contains'
    | 'startsWith'
    | 'endsWith'
    | 'iequals'
    | 'icontains'
    | 'istartsWith'
    | 'iendsWith']?: string
} & { readonly has?: SentValue<T>; readonly isNull?: boolean; readonly isEmpty?: boolean }

/** @internal */
type AttributeFilter<T> = SentValue<T> | readonly SentValue<NonNullable<T>>[] | Operators<NonNullable<T>> | null

/** @internal */
type RelationFilter<M extends ModelName> =
  | RowReference
  | readonly RowReference[]
  | null
  | ({ readonly exists?: boolean; readonly isNull?: boolean } & {
      readonly [Name in 'equals' | 'not']?: RowReference | null
    } & { readonly [Name in 'in' | 'notIn']?: readonly RowReference[] } & {
      readonly [Name in 'some' | 'every' | 'none']?: FieldFilters<M>
    } & FieldFilters<M>)

/** @internal */
type FieldFilters<M extends ModelName> = {
  readonly [Name in AttributeOf<M>]?: AttributeFilter<RowOf<M>[Name & keyof RowOf<M>]>
} & {
  readonly id?: RowReference | readonly RowReference[] | Operators<RowId>
} & { readonly [Name in RelationOf<M>]?: RelationFilter<TargetOf<M, Name>> } & Partial<OwnFiltersOf<M>>

/**
 * Conditions by field: a value, a list of alternatives, operators, conditions on the rows of a relation, and groups.
 *
 * @example
 * const filter: FilterQuery<'Post'> = {
 *   title: { contains: 'ship' },
 *   or: [{ synopsis: null }, { createdAt: { gte: new Date(0) } }],
 * }
 */
export type FilterQuery<M extends ModelName> = FieldFilters<M> & {
  readonly [Group in 'and' | 'or' | 'not']?: readonly FilterQuery<M>[]
}

/** @internal */
type SortKey<M extends ModelName> = 'id' | AttributeOf<M> | (string & Record<never, never>)

/** Which rows are listed, and how. */
export interface ListQuery<M extends ModelName, Path extends string = string> extends RowQuery<M, Path> {
  /** Left out, all rows that the caller sees. */
  readonly filter?: FilterQuery<M>
  /** `'-createdAt'`, or several, the first one first. */
  readonly sort?: SortKey<M> | `-${SortKey<M>}` | readonly (SortKey<M> | `-${SortKey<M>}`)[]
  /**
   * The members of `page`, by the type's paginator: `{ number: 2, size: 50 }`. Left out, the first page, if there are
   * pages.
   */
  readonly page?: Readonly<Record<string, string | number>>
}

/** The rows of one page. */
export interface ListedRows<Row> extends ReadonlyArray<Row> {
  /** `meta` of the document: what the page says of itself. */
  readonly meta: Meta
  /** `page` of the query for the rows behind these; null where there are none, and where the type is not paged. */
  readonly next: Readonly<Record<string, string | number>> | null
}

/**
 * The rows of one page, which are read when they are awaited. `for await` goes through all rows: it reads a hundred at
 * a time, and keeps no more in memory.
 */
export interface Listing<Row> extends PromiseLike<ListedRows<Row>>, AsyncIterable<Row> {}

/** What is written: attributes by name, and relationships by ids, identifiers or rows. */
export type FieldsSent<M extends ModelName> = {
  readonly [Name in AttributeOf<M>]?: SentValue<RowOf<M>[Name & keyof RowOf<M>]> | undefined
} & {
  readonly [Name in ToOneOf<M>]?: RowReference | null | undefined
} & {
  readonly [Name in ToManyOf<M>]?: readonly RowReference[] | undefined
} & Partial<Readonly<OwnFieldsOf<M>>>

/** @internal */
interface Keyed {
  /**
   * Carries the call out once: a repeat with the same key within a day gets the first response. The server class may
   * set another time.
   */
  readonly idempotencyKey?: string
}

/** How a row is created. */
export interface CreateOptions<M extends ModelName, Path extends string = string> extends RowQuery<M, Path>, Keyed {}

/** How a row is changed. */
export interface UpdateOptions<M extends ModelName, Path extends string = string>
  extends RowQuery<M, Path>,
    DeleteOptions {}

/** On which condition a row is deleted. */
export interface DeleteOptions {
  /** The row as it was read, or its version: 412 where it was changed meanwhile. */
  readonly ifMatch?: string | RowHead
}

/** How an action is carried out. */
export interface ActOptions<M extends ModelName, Path extends string = string> extends RowQuery<M, Path>, Keyed {
  /** As of `update`. */
  readonly ifMatch?: string | RowHead
}

/** How links are made. */
export interface LinkOptions extends Keyed {
  /** As of `update`. */
  readonly ifMatch?: string | RowHead
}

/** What an action has answered. */
export interface Acted<Row> {
  /** A row, rows, or null; undefined where there is no document, or one of `meta` alone. */
  readonly data: Row | readonly Row[] | null | undefined
  /** What the handler says beside it. */
  readonly meta: Meta
}

/**
 * What a caller may do without HTTP. The rules are those of a request: policies, scopes, field rules, request classes,
 * hooks, the trail and limits. Each method throws a `JsonApiError` with the errors that HTTP would return.
 */
export interface Operations<S extends Seeing = 'some'> {
  /**
   * Rows of a model: await one page of them, or go through all.
   *
   * @example
   * declare const api: PrismApi
   *
   * const archive = api.asSystem('archive', { server: 'v1' })
   * for await (const post of archive.list('Post', { sort: 'createdAt' })) console.log(post.title)
   */
  list<M extends ModelName, const Path extends IncludePath<M> = never, const Q = unknown>(
    model: M,
    query?: ListQuery<M, Path> & Q,
  ): Listing<RowSeen<S, M, Path, Q>>
  /**
   * The row with that id.
   *
   * @throws {JsonApiError} 404 where it is absent or hidden, 403 where a policy denies it.
   */
  find<M extends ModelName, const Path extends IncludePath<M> = never, const Q = unknown>(
    model: M,
    id: RowReference,
    query?: RowQuery<M, Path> & Q,
  ): Promise<RowSeen<S, M, Path, Q>>
  /** Creates a row, and answers with it. */
  create<M extends ModelName, const Path extends IncludePath<M> = never, const Q = unknown>(
    model: M,
    fields: FieldsSent<M>,
    options?: CreateOptions<M, Path> & Q,
  ): Promise<RowSeen<S, M, Path, Q>>
  /** Changes a row, and answers with it; null where the caller does not see it any more. */
  update<M extends ModelName, const Path extends IncludePath<M> = never, const Q = unknown>(
    model: M,
    id: RowReference,
    fields: FieldsSent<M>,
    options?: UpdateOptions<M, Path> & Q,
  ): Promise<RowSeen<S, M, Path, Q> | null>
  /** Deletes a row. */
  delete<M extends ModelName>(model: M, id: RowReference, options?: DeleteOptions): Promise<void>
  /** Adds rows to a to-many relation; those that are in it stay. */
  link<M extends ModelName>(
    model: M,
    id: RowReference,
    relation: ToManyOf<M>,
    ids: RowReference | readonly RowReference[],
    options?: LinkOptions,
  ): Promise<void>
  /** Removes rows from a to-many relation; those that are not in it are left as they are. */
  unlink<M extends ModelName>(
    model: M,
    id: RowReference,
    relation: ToManyOf<M>,
    ids: RowReference | readonly RowReference[],
    options?: DeleteOptions,
  ): Promise<void>
  /**
   * Carries out a custom action of a row, or of its type if the id is null. `input` is `meta` of the document, or the
   * query of an action by GET.
   *
   * @typeParam Answers - the model of the rows that it answers with
   */
  act<M extends ModelName, Answers extends ModelName = M, const Path extends IncludePath<Answers> = never>(
    model: M,
    id: RowReference | null,
    action: string,
    input?: Readonly<Record<string, unknown>>,
    options?: ActOptions<Answers, Path>,
  ): Promise<Acted<RowSeen<S, Answers, Path>>>
}

/** A caller, and transactions of it. */
export interface Caller<S extends Seeing = 'some'> extends Operations<S> {
  /**
   * Does the work in one serializable transaction: each call sees what earlier calls wrote, and an error undoes
   * everything. After a conflict with another transaction the work runs again, so let it call `within` and nothing
   * else.
   *
   * A call that fails while it writes undoes the transaction, even if you catch its error. Inside of a hook or an
   * action, the work is part of their transaction.
   *
   * @example
   * declare const api: PrismApi
   *
   * await api.asSystem('import', { server: 'v1' }).transaction(async (within) => {
   *   const { id } = await within.create('Tag', { name: 'new' })
   *   await within.link('Post', 1, 'tags', id)
   * })
   */
  transaction<T>(work: (within: Operations<S>) => Promise<T>): Promise<T>
}

/** On which server a caller acts. */
export interface CallerOptions {
  /** The name of its class: its scopes, hooks, schema classes and limits hold. */
  readonly server: string
  /** The values of the parameters that the server's base path has: of `/api/:organization/v1` the `organization`. */
  readonly params?: BasePathParams
  /** Other limits than those of the server: `{ cost: 10_000_000 }` for a job that reads much at once. */
  readonly limits?: Partial<Limits>
}
