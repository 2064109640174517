import { JsonApiError } from '../../document/error.ts'
import { forbidden, notDeletable } from '../../document/errors.ts'
import { say } from '../../document/text.ts'
import type { CollectionOperation, RelationOperation, ResourceOperation } from '../../request/operation.ts'
import { staged } from '../../request/tracing.ts'
import { detailOf } from '../failures/messages.ts'
import { toErrors } from '../failures/places.ts'
import { uniqueFailures } from './check-unique.ts'
import {
  type CreateInput,
  type DeleteInput,
  prepareCreate,
  prepareDelete,
  prepareRelationship,
  prepareUpdate,
  type RelationshipInput,
  type UpdateInput,
} from './prepare.ts'
import { type Outcome, run, type Validated } from './run.ts'
import type { ValidationContext } from './validation-context.ts'

// In: a request instance, and a document that is compliant and whose identifiers exist. Out: what is written, or 422
// with every failure. First what is validated is prepared, then the rules run, then the database is asked.

/** @throws {JsonApiError} 422 with an error for each failed rule. */
export const validateCreate = staged('validate', checkCreate)

async function checkCreate(ctx: ValidationContext, op: CollectionOperation, input: CreateInput): Promise<Validated> {
  return passed(await run(ctx, prepareCreate(op, input)))
}

/** @throws {JsonApiError} 422 with an error for each failed rule. */
export const validateUpdate = staged('validate', checkUpdate)

async function checkUpdate(ctx: ValidationContext, op: ResourceOperation, input: UpdateInput): Promise<Validated> {
  return passed(await run(ctx, await prepareUpdate(ctx, op, input)))
}

/**
 * The rules of the one relationship, whose linkage is all that may be written.
 * @throws {JsonApiError} 422 with an error for each failed rule; 403 when no rule lets clients write the relationship.
 */
export const validateRelationship = staged('validate', checkRelationship)

async function checkRelationship(
  ctx: ValidationContext,
  op: RelationOperation,
  input: RelationshipInput,
): Promise<Validated> {
  const outcome = await run(ctx, prepareRelationship(op, input))
  const { name } = op.relation
  if (!outcome.validated.rules.fields.has(name)) throw forbidden(say`The ${name} relationship cannot be modified.`)
  return passed(outcome)
}

/** @throws {JsonApiError} 422 `Not Deletable` with an error for each failed rule; without rules deletion is allowed. */
export const validateDelete = staged('validate', checkDelete)

async function checkDelete(ctx: ValidationContext, op: ResourceOperation, input: DeleteInput): Promise<void> {
  const { failures } = await run(ctx, await prepareDelete(ctx, op, input))
  const { request } = input
  const messages = { ...request.messages(), ...request.deleteMessages() }
  const attributes = { ...request.attributes(), ...request.deleteAttributes() }
  const errors = failures.map((each) => notDeletable(detailOf(each, { messages, attributes }), each.rule ?? undefined))
  const error = JsonApiError.all(errors)
  if (error) throw error
}

/**
 * Asks the database what was left to a write that was not done.
 * @throws {JsonApiError} 422 with an error for each rule that fails.
 */
export async function checkUnasked(ctx: ValidationContext, validated: Validated): Promise<void> {
  if (validated.unasked.length > 0) await askNow(ctx, validated)
}

const askNow = staged('validate', async (ctx: ValidationContext, validated: Validated): Promise<void> => {
  const { operation, row, related } = validated.prepared
  const failures = await uniqueFailures(
    ctx,
    { schema: operation.schema, row, related, ...validated },
    validated.unasked,
  )
  passed({ failures, validated })
})

function passed({ failures, validated }: Outcome): Validated {
  if (failures.length === 0) return validated
  const { request, places } = validated.prepared
  throw JsonApiError.all(toErrors(failures, places, { messages: request.messages(), attributes: request.attributes() }))
}
