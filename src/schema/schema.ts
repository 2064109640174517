import type { ColumnOf, ModelName, RelationOf, RowOf, WhereOf } from '../model/register.ts'
import type { Row } from '../model/where.ts'
import { PagePagination } from '../pagination/page-pagination.ts'
import type { PageParams, Paginator } from '../pagination/paginator.ts'
import type { ActionOptions, ActionPlace, ActionRules, DeclaredAction } from './actions.ts'
import {
  AttributeOverride,
  type Field,
  IdOverride,
  type MorphForm,
  MorphToOverride,
  RelationOverride,
} from './fields.ts'
import type { HookRequest } from './resource-schema.ts'

/** An attribute override whose callbacks know the model's row. */
export interface AttributeOf<M extends ModelName> extends Omit<AttributeOverride, 'computed'> {
  computed<C extends ColumnOf<M>>(
    columns: readonly C[],
    value: (row: Pick<RowOf<M>, C & keyof RowOf<M>>) => unknown,
  ): this
}

/**
 * What the application says of one type beyond what its Prisma model says; every member has an inferred default.
 * Lives in `src/app/<server>/<model>.schema.ts` and is the file's default export.
 *
 * An override that names a column or relation that the model lacks is a compile error, and an error at boot.
 *
 * @example
 * export default class PostSchema extends Schema<'Post'> {
 *   override defaultSort = '-createdAt'
 *   override fields() {
 *     return [this.attribute('deletedAt').hidden(), this.relation('tags').mustValidate()]
 *   }
 * }
 */
export class Schema<M extends ModelName = ModelName> {
  /** The resource type; by default the dash-case plural of the model. */
  type?: string
  /** Resources on a page when the request does not say (*Page size*, rule 1). */
  perPage = 15
  /** The largest page that may be asked for; by default the server's `limits.maxPageSize`. */
  maxPageSize?: number
  /** The order of collections when the client sends no `sort`, in the syntax of `sort`; by default the id. */
  defaultSort = ''
  /** Include paths used when the client sends no `include`. */
  defaultInclude: readonly string[] = []
  /**
   * Page parameters used when the client sends none; null leaves such an answer unpaginated. A type whose schema says
   * nothing about pagination has page 1. A function computes them, once, at boot.
   */
  // Declared, because a field of its own would lie before the method of a subclass that is written in JavaScript.
  declare defaultPagination?: PageParams | null | (() => PageParams | null)
  /** False: resource objects carry no links. */
  selfLink = true
  /** True or false where the type's collections differ from the server's `viewAnyByView`: list only what the caller may `view`. */
  viewAnyByView?: boolean
  /**
   * The column that DELETE sets instead of removing the row, and that hides rows once it is set. Where its attribute is not
   * hidden, who may `viewTrashed` sees it, finds deleted rows by id and by `filter[trashed]=with|only`, and restores one
   * by setting it to null; DELETE of a deleted row removes it, for who may `forceDelete`.
   */
  softDelete?: ColumnOf<M>

  /** Fields that are not as inferred; what is not listed stays inferred. */
  fields(): readonly (Field | AttributeOf<M>)[] {
    return []
  }

  /** What clients can do beside reading and writing: `POST /posts/1/-actions/publish`. A policy decides, by the action's name. */
  actions(): readonly DeclaredAction[] {
    return []
  }

  /** How collections of the type are paginated; null for not at all. */
  pagination(): Paginator | null {
    return new PagePagination()
  }

  /** False: nobody is asked for permission (*Disabling*). */
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

  protected id(): IdOverride {
    return new IdOverride()
  }

  /** A column of the model, or an attribute of its own that is `computed` or `virtual`. */
  protected attribute(name: ColumnOf<M> | (string & {})): AttributeOf<M> {
    return new AttributeOverride(name) as unknown as AttributeOf<M>
  }

  protected relation(name: RelationOf<M>): RelationOverride {
    return new RelationOverride(name)
  }

  /** A polymorphic to-one relation; the Prisma relations that it is made of are no relations of their own any more. */
  protected morphTo(name: string, form: MorphForm): MorphToOverride {
    return new MorphToOverride(name, form)
  }

  /**
   * A custom action. Its handler runs inside of one transaction.
   * @example
   * this.action('publish', {
   *   rules: { publishedAt: dateTime() },
   *   handle: ({ row, input: { publishedAt = new Date() }, db }) =>
   *     db.post.update({ where: { id: row.id }, data: { publishedAt } }),
   * })
   */
  protected action<
    On extends ActionPlace = 'member',
    A extends ModelName = M,
    R extends ActionRules = Record<never, never>,
  >(name: string, options: ActionOptions<M, On, A, R>): DeclaredAction {
    return { name, ...options } as DeclaredAction
  }
}

export type SchemaClass = new () => Schema<never>
export type AnySchema = Omit<Schema<never>, 'fields' | 'indexQuery' | 'relatableQuery'> & {
  fields(): readonly Field[]
  indexQuery(request: HookRequest): Row | null
  relatableQuery(request: HookRequest): Row | null
}
