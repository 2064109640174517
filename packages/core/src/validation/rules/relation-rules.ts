import type { LocalIdentifier } from '@prismapi/jsonapi/document/linkage'
import type { Identifier } from '@prismapi/jsonapi/document/types'
import type { ModelName, RowOf } from '@prismapi/jsonapi/model/register'
import { type Relation, targetModels } from '@prismapi/jsonapi/schema/relation-kinds'
import { type SchemaRegistry, schemaOf } from '@prismapi/jsonapi/schema/resource-schema'
import {
  type AnyObject,
  type ArraySchema,
  type ISchema,
  type MixedSchema,
  mixed,
  type Schema,
  type TestContext,
  ValidationError,
} from 'yup'
import { type RuleContext, ruleContext } from './rule-set.ts'
import { RequirableArray } from './rules.ts'

/** A to-one relationship of rules: what it holds where it is validated. */
export type ToOneRule<Value> = MixedSchema<Value | undefined>
/** A to-many relationship of rules. */
export type ToManyRule<Value> = ArraySchema<Value[] | undefined, AnyObject>

/**
 * A to-one relationship that holds a resource of the relation's type; `nullable()` lets clients empty it. The server
 * has checked before that the resource exists.
 *
 * With a model, for the input of an action: an identifier of the model's type, which becomes the row if the caller may
 * see it, and 404 otherwise.
 *
 * @see https://jsonapi.org/format/#document-resource-object-linkage
 * @example
 * export default class CommentRequest extends ResourceRequest<'Comment'> {
 *   override rules() {
 *     return this.checked({ ...this.inferred(), author: toOne().required() })
 *   }
 * }
 */
export function toOne(): ToOneRule<Identifier>
/** For the input of an action: an identifier of the model's type, which becomes the row that the caller may see. */
export function toOne<M extends ModelName>(model: M): ToOneRule<RowOf<M>>
export function toOne(model?: string): ToOneRule<unknown> {
  return mixed<Identifier>({ type: 'toOne', check: isIdentifier })
    .meta({ rule: 'toOne', ...(model !== undefined && { model }) })
    .test({
      name: 'toOne',
      skipAbsent: true,
      test: (value, test) => wrongTypes([value as Identifier], { test, model, pathOf: () => test.path }) ?? true,
    })
}

/**
 * A to-many relationship that holds resources of the relation's type; `required()` counts an empty one as missing. With
 * a model, for the input of an action: identifiers of the model's type, which become the rows that the caller may see.
 *
 * @see https://jsonapi.org/format/#document-resource-object-linkage
 * @example
 * export default class PostRequest extends ResourceRequest<'Post'> {
 *   override rules() {
 *     return this.checked({ ...this.inferred(), tags: toMany().max(10) })
 *   }
 * }
 */
export function toMany(): ToManyRule<Identifier>
/** For the input of an action: identifiers of the model's type, which become the rows that the caller may see. */
export function toMany<M extends ModelName>(model: M): ToManyRule<RowOf<M>>
export function toMany(model?: string): unknown {
  const schema = new RequirableArray().meta({
    rule: 'toMany',
    ...(model !== undefined && { model }),
  }) as unknown as ToManyRule<Identifier>
  return schema.test({
    name: 'toMany',
    skipAbsent: true,
    test: (value, test) =>
      wrongTypes(value as Identifier[], { test, model, pathOf: (i) => `${test.path}[${i}]` }) ?? true,
  })
}

/** The model whose rows a rule of an action holds; null for any other rule. */
export const modelOfRule = (rule: ISchema<unknown>): string | null =>
  ((rule as Partial<Schema>).spec?.meta as { readonly model?: string } | undefined)?.model ?? null

// A new resource is named by its lid.
function isIdentifier(value: unknown): value is Identifier {
  const { type, id, lid } = (value ?? {}) as Partial<Identifier & LocalIdentifier>
  return typeof type === 'string' && (typeof id === 'string' || typeof lid === 'string')
}

/** One failure for each identifier of another type; null when there is none. */
function wrongTypes(values: readonly unknown[], { test, model, pathOf }: Tested): ValidationError | null {
  const context = ruleContext(test)
  const models = model === undefined ? modelsOf(context?.schema.relations.get(test.path)) : [model]
  const failures: ValidationError[] = []
  values.forEach((value, i) => {
    const isNamed = isIdentifier(value) && (model === undefined || typeof value.id === 'string')
    if (isNamed && (!context || !models || isOfType(context.registry, models, value))) return
    failures.push(test.createError({ path: pathOf(i), params: { types: typesOf(context, models), field: test.path } }))
  })
  return failures.length > 0 ? new ValidationError(failures, undefined, undefined, undefined, true) : null
}

interface Tested {
  readonly test: TestContext
  readonly model: string | undefined
  readonly pathOf: (index: number) => string
}

const modelsOf = (relation: Relation | undefined): readonly string[] | null =>
  relation ? targetModels(relation) : null

function isOfType(registry: SchemaRegistry, models: readonly string[], { type }: Identifier): boolean {
  const model = registry.byType.get(type)?.model.name
  return model !== undefined && models.includes(model)
}

const typesOf = (context: RuleContext | null, models: readonly string[] | null): string =>
  context && models ? models.map((model) => schemaOf(context.registry, model).type).join(', ') : ''
