import type { Linkage } from '../../document/types.ts'
import type { Awaitable } from '../../model/awaitable.ts'
import { isToMany, type Relation } from '../../schema/relation-kinds.ts'
import type { ResourceSchema } from '../../schema/resource-schema.ts'
import { hasFillHooks } from '../../write/hooks.ts'
import type { WriteInput } from '../../write/input/write-input.ts'
import { type Failure, failure } from '../failures/failure.ts'
import { RequestBase } from '../request/request-base.ts'
import type { Values } from '../request/request-facts.ts'
import { Validator } from '../request/validator.ts'
import type { FieldRules } from '../rules/read-rules.ts'
import { newContext, type UniqueCheck } from '../rules/rule-context.ts'
import { checkUnique } from '../rules/unique-rules.ts'
import { isLeftToWrite, uniqueFailures } from './check-unique.ts'
import { columnValues } from './column-values.ts'
import { visibleLinkage } from './current-values.ts'
import type { Prepared } from './prepare.ts'
import { runRules } from './run-rules.ts'
import type { ValidationContext } from './validation-context.ts'

/** What passed: what the write puts into its row, and what it was made from. Frozen. */
export interface Validated extends WriteInput {
  readonly prepared: Prepared
  readonly rules: FieldRules
  /** What the database has not been asked: the write finds out, or `checkUnasked` does. */
  readonly unasked: readonly UniqueCheck[]
}

/** What was found wrong, in no particular order; where that is nothing, what was validated may be written. */
export interface Outcome {
  readonly failures: readonly Failure[]
  readonly validated: Validated
}

/**
 * Runs all that may fail, in three stages: rules and the application's own failures; uniqueness; hooks that rely on
 * valid data. A stage reports all its failures, and the next one begins only without any.
 */
export async function run(ctx: ValidationContext, prepared: Prepared): Promise<Outcome> {
  const { request, operation, data, sent, row, related } = prepared
  const { progress } = RequestBase.factsOf(request)
  progress.begin(data)
  const validator = new Validator(data)
  await request.withValidator(validator)
  const rules = prepared.rulesOf(request)
  const links = (await prepared.permitLinks?.(writtenRelations(prepared, rules))) ?? []
  const context = newContext(ctx, operation, sent)
  const found = await runRules(rules, data, context)
  for (const check of context.uniques) checkUnique({ owner: request.constructor.name, operation }, check)
  const reported = found.filter((each) => isReported(ctx, prepared, each))
  const { validated, failures } = toColumns(ctx, prepared, { rules, links }, [...reported, ...validator.takeFailures()])
  if (failures.length > 0) return { failures, validated }
  const subject = { schema: operation.schema, row, related, ...validated }
  const isLeft = !validator.hasHooks && isLeftToWrite(ctx, prepared, context.uniques)
  const clashes = isLeft ? [] : await uniqueFailures(ctx, subject, context.uniques)
  if (clashes.length > 0) return { failures: clashes, validated }
  progress.pass({
    values: Object.freeze(Object.fromEntries(writtenValues(prepared, rules))),
    related,
    linkageOf: (relation, linkage) => (linkage !== undefined ? linkage : currentLinkageFor(ctx, prepared, relation)),
  })
  await validator.runHooks()
  const unasked = isLeft ? context.uniques : []
  return { failures: validator.takeFailures(), validated: Object.freeze({ ...validated, unasked }) }
}

// A new resource has none yet, and one that was sent as null is empty.
const currentLinkageFor = (
  ctx: ValidationContext,
  { operation: { schema }, row, related }: Prepared,
  relation: Relation,
): Awaitable<Linkage> =>
  row ? visibleLinkage({ ctx, schema, row, related }, relation) : isToMany(relation) ? [] : null

function isReported(ctx: ValidationContext, { operation, sent, hidden }: Prepared, failed: Failure): boolean {
  const [field = ''] = failed.path
  if (sent.has(field)) return true
  // To the client the field is empty, in truth it is not: there is nothing that it could mend.
  if (hidden.has(field)) return false
  if (!failed.isInferred) return true
  const { schema, kind } = operation
  if (kind !== 'create') return false
  // A creation hook may still fill the relation; the write looks again.
  return !(schema.relations.has(field) && hasFillHooks(ctx, schema.model.name, 'create'))
}

interface Permitted extends Pick<Validated, 'rules' | 'links'> {}

function toColumns(
  ctx: ValidationContext,
  prepared: Prepared,
  { rules, links }: Permitted,
  found: readonly Failure[],
): Outcome {
  const { schema } = prepared.operation
  const failed = new Set(found.map(({ path: [field = ''] }) => field))
  const values = new Map(writtenValues(prepared, rules))
  const { provider } = ctx.server.resources
  const { attributes, failures } = columnValues(schema, values, { provider, failed })
  const relationships = writtenRelations(prepared, rules)
  const id = values.get('id')
  return {
    validated: Object.freeze({
      id: typeof id === 'string' ? id : null,
      attributes,
      relationships,
      links,
      prepared,
      rules,
      unasked: [],
    }),
    failures: [...found, ...failures, ...emptyRelations(schema, relationships, failed)],
  }
}

/** What was sent and has a rule. */
const writtenValues = (
  { data, sent }: { readonly data: Values; readonly sent: ReadonlySet<string> },
  rules: FieldRules,
) => [...sent].filter((name) => rules.fields.has(name)).map((name) => [name, data[name]] as const)

const writtenRelations = (prepared: Prepared, rules: FieldRules): ReadonlyMap<string, Linkage> => {
  const { relations } = prepared.operation.schema
  return new Map(writtenValues(prepared, rules).filter(([name]) => relations.has(name)) as [string, Linkage][])
}

// However loose the rule, a foreign key that cannot be null is not emptied.
function emptyRelations(
  schema: ResourceSchema,
  relationships: ReadonlyMap<string, Linkage>,
  failed: ReadonlySet<string>,
): readonly Failure[] {
  return [...relationships]
    .filter(([name, linkage]) => linkage === null && !failed.has(name) && !mayBeEmpty(schema.relations.get(name)))
    .map(([name]) => failure([name], 'required'))
}

const mayBeEmpty = (relation: Relation | undefined): boolean =>
  relation !== undefined && 'isNullable' in relation && relation.isNullable
