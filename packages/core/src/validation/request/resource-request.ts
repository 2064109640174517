import type { Linkage } from '@prismapi/jsonapi/document/types'
import {
  type ModelName,
  NotKnown,
  type RelatedRowOf,
  type RowOf,
  type ToManyOf,
  type ToOneOf,
  type WhereOf,
} from '@prismapi/jsonapi/model/register'
import type { ListOptions, VisibleOptions } from '@prismapi/jsonapi/model/visible-rows'
import type { Row, Where } from '@prismapi/jsonapi/model/where'
import { isModifyingRelationship } from '@prismapi/jsonapi/request/operation'
import { identifiersOf } from '../../write/input.ts'
import type { AttributeNames, Messages } from '../failures/messages.ts'
import { inferRules } from '../rules/infer-rules.ts'
import type { KnownRules, RuleSet, Rules, ValidationData } from '../rules/rule-set.ts'
import { callerOf, operationOf, RequestBase, type RequestRows, type Validator, type Values } from './request-base.ts'

/**
 * What the framework knows of a request class, whatever its model.
 *
 * @internal
 */
export interface AnyResourceRequest extends RequestBase {
  rules(): RuleSet
  authorize(): boolean | null | Promise<boolean | null>
  withExisting(model: never, resource: Values): Values | null | Promise<Values | null>
  withValidator(validator: Validator): void | Promise<void>
  deleteRules(): RuleSet
  deleteMessages(): Messages
  deleteAttributes(): AttributeNames
  metaForDelete(model: never): Values | Promise<Values>
}

/**
 * The rules of one type: which fields clients may write, and which values (docs/specification.md#validation-rules). It
 * is the default export of `requests/<model>.request.ts`, or of `requests/<server>/…` for one server. Without it, the
 * rules are inferred from the Prisma schema.
 *
 * Only fields that have a rule are written; other fields that a client sends are ignored. `Extra` names fields that
 * only the schema class declares. A rule for a field that the type lacks is a compile error, and an Error at startup.
 *
 * `rules()` is called for each request. Making a rule takes longer than running it, so make rules constants of the
 * file, and choose among them in `rules()`.
 *
 * @see https://jsonapi.org/format/#crud
 * @example
 * export default class TagRequest extends ResourceRequest<'Tag'> {
 *   override rules() {
 *     return this.checked({ name: string().required().max(50).test(unique()) })
 *   }
 * }
 */
export class ResourceRequest<M extends ModelName = ModelName, Extra extends string = never> extends RequestBase {
  /** By field; on update they see the current values, with what the client sent over them. */
  rules(): Rules<M, Extra> {
    return this.inferred()
  }

  /**
   * The rules that the Prisma schema implies, to extend.
   *
   * @example
   * export default class PostRequest extends ResourceRequest<'Post'> {
   *   override rules() {
   *     return this.checked({ ...this.inferred(), title: string().required().max(200) })
   *   }
   * }
   */
  inferred(): Rules<M, Extra> {
    return inferRules(operationOf(this).schema, this.isCreating()) as Rules<M, Extra>
  }

  /**
   * The same rules. A name that is no field does not compile, wherever the rules were made, and a class that extends
   * this one may return other rules. `meta` is for `deleteRules()`.
   */
  protected checked<const R extends Rules<M, Extra | 'meta'>>(
    rules: KnownRules<R, M, Extra | 'meta'>,
  ): Rules<M, Extra | 'meta'> {
    return rules as unknown as Rules<M, Extra | 'meta'>
  }

  /** A boolean is final; null leaves the decision to the authorizer. */
  authorize(): boolean | null | Promise<boolean | null> {
    return null
  }

  /**
   * Changes the current values before what the client sent is merged over them; null leaves them as they are
   * `model` is the row, `resource` its values as documents write them.
   */
  withExisting(_model: RowOf<M>, _resource: Values): Values | null | Promise<Values | null> {
    return null
  }

  /** Called for every kind of request, deletion too, before the rules run. */
  withValidator(_validator: Validator): void | Promise<void> {}

  /** By field, and `meta.<name>` for what `metaForDelete` returns. Without any, deletion is allowed. */
  deleteRules(): Rules<M, Extra | 'meta'> {
    return {}
  }

  /** Over `messages()`, for deletion. */
  deleteMessages(): Messages {
    return {}
  }

  /** Over `attributes()`, for deletion. */
  deleteAttributes(): AttributeNames {
    return {}
  }

  /**
   * More values for the rules of a deletion.
   *
   * @example
   * export default class PostRequest extends ResourceRequest<'Post'> {
   *   override async metaForDelete(post: RowOf<'Post'>) {
   *     return { comments: await this.count('Comment', { postId: post.id }) }
   *   }
   *
   *   override deleteRules() {
   *     return this.checked({ 'meta.comments': integer().max(0) })
   *   }
   * }
   */
  metaForDelete(_model: RowOf<M>): Values | Promise<Values> {
    return {}
  }

  /**
   * How many rows of a model meet the condition, of those that the caller may see; with `hidden`, of all there are.
   *
   * @throws {Error} where rules are described, without a database.
   */
  async count<N extends ModelName>(
    model: N,
    where: WhereOf<N>,
    { hidden = false, ...options }: VisibleOptions & { readonly hidden?: boolean } = {},
  ): Promise<number> {
    const rows = this.#visible('count()')
    return hidden ? rows.countAll(model, where as Where) : rows.count(model, where, options)
  }

  /**
   * The row of any model with that id; null when it is absent, or hidden from the caller.
   *
   * @throws {Error} where rules are described, without a database.
   */
  async find<N extends ModelName>(model: N, id: string | number, options?: VisibleOptions): Promise<RowOf<N> | null> {
    return this.#visible('find()').find(model, id, options)
  }

  /**
   * The rows of any model that meet the condition, of those that the caller may see, in the order of their ids.
   *
   * @throws {Error} where rules are described, without a database.
   */
  async list<N extends ModelName>(model: N, where?: WhereOf<N>, options?: ListOptions): Promise<RowOf<N>[]> {
    return this.#visible('list()').list(model, where, options)
  }

  #visible(call: string): RequestRows {
    const { rows } = callerOf(RequestBase.factsOf(this), call)
    if (!rows) throw new NotKnown(`${call} has no answer here: rules are described without a database.`)
    return rows
  }

  /**
   * The row that is updated, deleted, or whose relationship changes; null on create.
   *
   * @throws {Error} where rules are described, without a row.
   */
  model(): RowOf<M> | null {
    const facts = RequestBase.factsOf(this)
    callerOf(facts, 'model()')
    if (facts.row === null && isModifyingRelationship(facts.operation))
      throw new NotKnown('model() has no answer here: rules are described, and no row is looked at.')
    return facts.row as RowOf<M> | null
  }

  /**
   * The data that the rules are about. Its fields hold JSON values, its relationships linkage.
   *
   * @throws {Error} before there is any.
   */
  validationData(): ValidationData<M, Extra> {
    return RequestBase.factsOf(this).progress.dataFor('validationData()') as ValidationData<M, Extra>
  }

  /**
   * What was sent and passed its rules, on create and update.
   *
   * @throws {Error} before validation has succeeded.
   */
  validated(): Partial<ValidationData<M, Extra>> {
    return RequestBase.factsOf(this).progress.passedFor('validated()').values as Partial<ValidationData<M, Extra>>
  }

  /**
   * What was sent to a relationship endpoint and passed its rules.
   *
   * @throws {Error} before validation has succeeded, and where the request is about no relationship.
   */
  validatedForRelation(): Linkage {
    const name = this.getFieldName()
    const validated: Values = this.validated()
    if (name === null) throw new Error('validatedForRelation(): the request is about no relationship. Use validated().')
    return validated[name] as Linkage
  }

  /**
   * The row that a to-one relationship names, or null. One that was not sent has its current value.
   *
   * @throws {Error} before validation has succeeded, and for a relation that the type lacks.
   */
  async toOne<Name extends ToOneOf<M>>(name: Name): Promise<RelatedRowOf<M, Name> | null>
  /** A relation to several models, or one that is not the model's own: its rows are of the type that is said. */
  async toOne<Target extends Row = Row>(name: ToOneOf<M> | Extra): Promise<Target | null>
  async toOne<Target>(name: string): Promise<Target | null> {
    const [row] = await this.#rows('toOne', name)
    return (row as Target | undefined) ?? null
  }

  /**
   * The rows that a to-many relationship names. One that was not sent has its current value.
   *
   * @throws {Error} before validation has succeeded, and for a relation that the type lacks.
   */
  async toMany<Name extends ToManyOf<M>>(name: Name): Promise<RelatedRowOf<M, Name>[]>
  /** One that is not the model's own: its rows are of the type that is said. */
  async toMany<Target extends Row = Row>(name: ToManyOf<M> | Extra): Promise<Target[]>
  async toMany<Target>(name: string): Promise<Target[]> {
    return (await this.#rows('toMany', name)) as Target[]
  }

  async #rows(method: string, name: string): Promise<readonly Row[]> {
    const { operation, progress } = RequestBase.factsOf(this)
    const call = `${method}('${name}')`
    const { related, linkageOf } = progress.passedFor(call)
    const relation = operation.schema.relations.get(name)
    if (!relation) throw new Error(`${call}: ${operation.schema.type} have no such relation.`)
    const linkage = await linkageOf(relation, progress.dataFor(call)[name] as Linkage | undefined)
    const rows = await related.find(identifiersOf(linkage))
    return rows.filter((row) => row !== null)
  }
}
