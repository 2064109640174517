import type { ActionResult } from '../../actions/action-result.ts'
import { dispatch, executeOperation } from '../../actions/actions.ts'
import { dispatchOperations, executeOperations } from '../../actions/atomic/execute-operations.ts'
import type { RequestContext } from '../../actions/context.ts'
import type { Operation } from '../../request/operation.ts'
import type { Api } from '../api.ts'
import { type Call, contextOf } from '../call.ts'
import type { Execute } from '../plugin.ts'

/** Carries out what a call asks for: an operation, or those of an atomic request. */
const execute: Execute = (call) => {
  const ctx = contextOf(call)
  return call.operations ? executeOperations(ctx, call.operations) : executeOperation(ctx, operationOf(call))
}

/** The same, with what the plug-ins do around it. */
export const executeWith = (api: Api): Execute =>
  api.plugins.reduceRight<Execute>((next, plugin) => plugin.execute?.(next, api) ?? next, execute)

/** One attempt, without retry, for work that is a part of a transaction. */
export const attempt = (call: Call, ctx: RequestContext): Promise<ActionResult> =>
  call.operations ? dispatchOperations(ctx, call.operations) : dispatch(ctx, operationOf(call))

function operationOf({ operation }: Call): Operation {
  if (operation === null)
    throw new Error('http/jsonapi.ts: nothing is to be executed. Move the stage behind checkMethod.')
  return operation
}
