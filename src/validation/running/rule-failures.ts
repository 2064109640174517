import type { RequestContext } from '../../request/context.ts'
import { hasFillHooks } from '../../store/hooks.ts'
import { type RequestState, stateKey, type Values } from '../classes/request-state.ts'
import type { AnyResourceRequest } from '../classes/resource-request.ts'
import type { Failure } from '../failures/failure.ts'
import { newContext, type UniqueCheck } from '../rules/rule-context.ts'
import type { CompiledRules } from './compile-rules.ts'
import { runRules } from './run-rules.ts'
import { type RuleSource, withRules } from './shared-rules.ts'

export interface RuleOptions {
  readonly source: RuleSource<AnyResourceRequest>
  /** The fields that the client sent, read-only ones left out. */
  readonly sent: ReadonlySet<string>
  /** Relations whose current target the client may not see. */
  readonly hidden: ReadonlySet<string>
}

export interface RuleFailures {
  readonly failures: readonly Failure[]
  /** What rules want to be asked of the database when there is no failure. */
  readonly uniques: readonly UniqueCheck[]
}

/** Runs the rules of the request over its data. */
export const ruleFailures = (
  ctx: RequestContext,
  request: AnyResourceRequest,
  options: RuleOptions,
): Promise<RuleFailures> => withRules(request, options.source, (rules) => run(ctx, request, { rules, ...options }))

interface RunOptions extends RuleOptions {
  readonly rules: CompiledRules
}

async function run(ctx: RequestContext, request: AnyResourceRequest, options: RunOptions): Promise<RuleFailures> {
  const state = request[stateKey]
  state.fields = options.rules.fields
  const context = newContext(ctx, state.operation, options.sent)
  const failures = await runRules(options.rules, state.data as Values, context)
  return { failures: failures.filter((each) => isReported(ctx, state, options, each)), uniques: context.uniques }
}

function isReported(
  ctx: RequestContext,
  state: RequestState,
  { sent, hidden }: RuleOptions,
  failure: Failure,
): boolean {
  const [field = ''] = failure.path
  if (sent.has(field)) return true
  // To the client the relation is empty, in truth it is not: there is nothing that it could mend.
  if (hidden.has(field)) return false
  if (!failure.isInferred) return true
  const { schema, kind } = state.operation
  if (kind !== 'create') return false
  // A creation hook may still fill the relation; the write looks again.
  return !(schema.relations.has(field) && hasFillHooks(ctx, schema.model.name))
}
