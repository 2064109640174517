import type { Linkage } from '../document/types.ts'
import type { RequestContext } from '../request/context.ts'
import type { Relation } from '../schema/relation-kinds.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'
import { uniqueFailures } from './check-unique.ts'
import { type RequestState, stateKey, type Validated, type Values } from './classes/request-state.ts'
import type { AnyResourceRequest } from './classes/resource-request.ts'
import { Validator } from './classes/validator.ts'
import { type Failure, failure } from './failures/failure.ts'
import { fillAttributes } from './filling/fill.ts'
import { type RuleOptions, ruleFailures } from './running/rule-failures.ts'

export interface Outcome {
  readonly failures: readonly Failure[]
  readonly validated: Validated
}

/**
 * Runs all that may fail, in three stages: rules and the application's own failures; uniqueness; hooks that rely on
 * valid data. A stage reports all its failures, and the next one begins only without any.
 */
export async function runRequest(
  ctx: RequestContext,
  request: AnyResourceRequest,
  options: RuleOptions,
): Promise<Outcome> {
  const state = request[stateKey]
  const validator = new Validator(state.data as Values)
  await request.withValidator(validator)
  const rules = await ruleFailures(ctx, request, options)
  const { failures, validated } = fill(ctx, state, options.sent, [...rules.failures, ...validator.takeFailures()])
  if (failures.length > 0) return { failures, validated }
  const { related, row } = state
  const subject = { schema: state.operation.schema, row, ...validated }
  const clashes = related ? await uniqueFailures(ctx, { ...subject, related }, rules.uniques) : []
  if (clashes.length > 0) return { failures: clashes, validated }
  state.validated = Object.freeze(Object.fromEntries(written(state, options.sent)))
  await validator.runHooks()
  return { failures: validator.takeFailures(), validated }
}

function fill(ctx: RequestContext, state: RequestState, sent: ReadonlySet<string>, found: readonly Failure[]): Outcome {
  const { schema } = state.operation
  const failed = new Set(found.map(({ path: [field = ''] }) => field))
  const values = new Map(written(state, sent))
  const { provider } = ctx.server.resources
  const filled = fillAttributes(schema, values, { provider, failed })
  const relationships = new Map([...values].filter(([name]) => schema.relations.has(name))) as Map<string, Linkage>
  const id = values.get('id')
  return {
    validated: { id: typeof id === 'string' ? id : null, attributes: filled.attributes, relationships },
    failures: [...found, ...filled.failures, ...emptyRelations(schema, relationships, failed)],
  }
}

/** What was sent and has a rule. */
const written = ({ data, fields }: RequestState, sent: ReadonlySet<string>): (readonly [string, unknown])[] =>
  [...sent].filter((name) => fields.has(name)).map((name) => [name, data?.[name]] as const)

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
