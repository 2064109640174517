import { type AnyObject, type ArraySchema, type MixedSchema, mixed, type TestContext, ValidationError } from 'yup'
import type { Identifier } from '../../document/types.ts'
import { type Relation, targetModels } from '../../schema/relation-kinds.ts'
import { type SchemaRegistry, targetSchemas } from '../../schema/resource-schema.ts'
import { type RuleContext, ruleContext } from './rule-context.ts'
import { RequirableArray } from './rules.ts'

/**
 * A to-one relationship that holds a resource of the relation's type; `nullable()` lets it be emptied.
 * Whether the resource exists was found out before.
 *
 * @see https://jsonapi.org/format/#document-resource-object-linkage
 * @example
 * export default class CommentRequest extends ResourceRequest<'Comment'> {
 *   override rules() {
 *     return { ...this.inferred(), author: toOne().required() }
 *   }
 * }
 */
export const toOne = (): MixedSchema<Identifier | undefined> =>
  mixed<Identifier>({ type: 'toOne', check: isIdentifier })
    .meta({ rule: 'toOne' })
    .test({
      name: 'toOne',
      skipAbsent: true,
      test: (value, test) => wrongTypes([value as Identifier], test, () => test.path) ?? true,
    })

/**
 * A to-many relationship that holds resources of the relation's type; `required()` counts an empty one as missing.
 *
 * @see https://jsonapi.org/format/#document-resource-object-linkage
 * @example
 * export default class PostRequest extends ResourceRequest<'Post'> {
 *   override rules() {
 *     return { ...this.inferred(), tags: toMany().max(10) }
 *   }
 * }
 */
export const toMany = (): ArraySchema<Identifier[] | undefined, AnyObject> => {
  const schema = new RequirableArray().meta({ rule: 'toMany' }) as unknown as ArraySchema<
    Identifier[] | undefined,
    AnyObject
  >
  return schema.test({
    name: 'toMany',
    skipAbsent: true,
    test: (value, test) => wrongTypes(value as Identifier[], test, (i) => `${test.path}[${i}]`) ?? true,
  })
}

function isIdentifier(value: unknown): value is Identifier {
  const { type, id } = (value ?? {}) as Partial<Identifier>
  return typeof type === 'string' && typeof id === 'string'
}

/** One failure for each identifier of another type; null when there is none. */
function wrongTypes(
  values: readonly unknown[],
  test: TestContext,
  pathOf: (index: number) => string,
): ValidationError | null {
  const context = ruleContext(test)
  const relation = context?.schema.relations.get(test.path) ?? null
  const failures: ValidationError[] = []
  values.forEach((value, i) => {
    if (isIdentifier(value) && (!context || !relation || isOfType(context.registry, relation, value))) return
    failures.push(
      test.createError({ path: pathOf(i), params: { types: typesOf(context, relation), field: test.path } }),
    )
  })
  return failures.length > 0 ? new ValidationError(failures, undefined, undefined, undefined, true) : null
}

function isOfType(registry: SchemaRegistry, relation: Relation, { type }: Identifier): boolean {
  const model = registry.byType.get(type)?.model.name
  return model !== undefined && targetModels(relation).includes(model)
}

const typesOf = (context: RuleContext | null, relation: Relation | null): string =>
  context && relation
    ? targetSchemas(context.registry, relation)
        .map((schema) => schema.type)
        .join(', ')
    : ''
