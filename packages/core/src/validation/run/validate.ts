import { JsonApiError, throwAll } from '@prismapi/jsonapi/document/error'
import { forbidden, notDeletable } from '@prismapi/jsonapi/document/errors'
import { namesItself } from '@prismapi/jsonapi/document/parse-document'
import { say } from '@prismapi/jsonapi/document/text'
import type { Identifier, Linkage } from '@prismapi/jsonapi/document/types'
import type { Awaitable } from '@prismapi/jsonapi/model/awaitable'
import { asStage } from '@prismapi/jsonapi/request/observer'
import type { CollectionOperation, RelationOperation, ResourceOperation } from '@prismapi/jsonapi/request/operation'
import { isToMany, type Relation } from '@prismapi/jsonapi/schema/relation-kinds'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { hasFillHooks } from '../../write/hooks.ts'
import { isMany, keyToItself, knownColumns, type WriteInput } from '../../write/input.ts'
import { type Failure, failure } from '../failures/failure.ts'
import { detailOf } from '../failures/messages.ts'
import { toErrors } from '../failures/places.ts'
import { RequestBase, Validator, type Values } from '../request/request-base.ts'
import { type FieldRules, newContext, runRules, type UniqueCheck } from '../rules/rule-set.ts'
import { checkUnique, isLeftToWrite, uniqueFailures } from '../rules/unique-rules.ts'
import { columnValues } from './column-values.ts'
import {
  type CreateInput,
  type DeleteInput,
  type Prepared,
  prepareCreate,
  prepareDelete,
  prepareRelationship,
  prepareUnread,
  prepareUpdate,
  type RelationshipInput,
  type UpdateInput,
  visibleLinkage,
} from './prepare.ts'
import type { ValidationContext } from './validation-context.ts'

// In: a request instance, and a document that is compliant and whose identifiers exist. Out: what is written, or 422
// with every failure. First what is validated is prepared, then the rules run, then the database is asked.

/** @throws {JsonApiError} 422 with an error for each failed rule. */
export const validateCreate = asStage('validate', checkCreate)

async function checkCreate(ctx: ValidationContext, op: CollectionOperation, input: CreateInput): Promise<Validated> {
  return passed(await run(ctx, prepareCreate(op, input)))
}

/** @throws {JsonApiError} 422 with an error for each failed rule. */
export const validateUpdate = asStage('validate', checkUpdate)

async function checkUpdate(ctx: ValidationContext, op: ResourceOperation, input: UpdateInput): Promise<Validated> {
  return passed(await run(ctx, await prepareUpdate(ctx, op, input)))
}

/** The same for an unknown row, by inferred rules. Null where a rule fails, or would have to look at the row. */
export const validateUnread = asStage('validate', checkUnread)

async function checkUnread(
  ctx: ValidationContext,
  op: ResourceOperation,
  input: Omit<CreateInput, 'permitLinks'>,
): Promise<Validated | null> {
  const { failures, validated } = await run(ctx, prepareUnread(op, input))
  return failures.length > 0 ? null : validated
}

/**
 * The rules of the one relationship, whose linkage is all that may be written.
 * @throws {JsonApiError} 422 with an error for each failed rule; 403 when no rule lets clients write the relationship.
 */
export const validateRelationship = asStage('validate', checkRelationship)

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
export const validateDelete = asStage('validate', checkDelete)

async function checkDelete(ctx: ValidationContext, op: ResourceOperation, input: DeleteInput): Promise<void> {
  const { failures } = await run(ctx, await prepareDelete(ctx, op, input))
  const { request } = input
  const messages = { ...request.messages(), ...request.deleteMessages() }
  const attributes = { ...request.attributes(), ...request.deleteAttributes() }
  const errors = failures.map((each) => notDeletable(detailOf(each, { messages, attributes }), each.rule ?? undefined))
  throwAll(errors)
}

/**
 * Checks uniqueness that was left to a single statement, where the statement was not run.
 *
 * @throws {JsonApiError} 422 with an error for each rule that fails.
 */
export async function checkUnasked(ctx: ValidationContext, validated: Validated): Promise<void> {
  if (validated.unasked.length > 0) await askNow(ctx, validated)
}

const askNow = asStage('validate', async (ctx: ValidationContext, validated: Validated): Promise<void> => {
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
  const { request, placesOf } = validated.prepared
  throw JsonApiError.all(
    toErrors(failures, placesOf(), { messages: request.messages(), attributes: request.attributes() }),
  )
}

/** What passed: what the write puts into its row, and what it was made from. Frozen. */
export interface Validated extends WriteInput {
  readonly prepared: Prepared
  readonly rules: FieldRules
  /** What the database has not been asked: the write finds out, or `checkUnasked` does. */
  readonly unasked: readonly UniqueCheck[]
}

/** What was found wrong, in no particular order; where that is nothing, what was validated may be written. */
interface Outcome {
  readonly failures: readonly Failure[]
  readonly validated: Validated
}

/**
 * Runs all that may fail, in three stages: rules and the application's own failures; uniqueness; hooks that rely on
 * valid data. A stage reports all its failures, and the next one begins only without any.
 */
async function run(ctx: ValidationContext, prepared: Prepared): Promise<Outcome> {
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
  const isLeft = !validator.hasHooks && isLeftToWrite(ctx, prepared, context.uniques)
  if (prepared.isUnread && !isLeft)
    return { failures: context.uniques.map(({ field }) => failure([field], 'unique')), validated }
  const subject = { schema: operation.schema, row, related, ...validated }
  const clashes = isLeft ? [] : await uniqueFailures(ctx, subject, context.uniques)
  if (clashes.length > 0) return { failures: clashes, validated }
  progress.pass({
    values: Object.freeze(Object.fromEntries(writtenValues(prepared, rules))),
    related,
    linkageOf: (relation, linkage) =>
      linkage !== undefined ? withoutItself(prepared, linkage) : currentLinkageFor(ctx, prepared, relation),
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
  const sentId = values.get('id')
  const id = typeof sentId === 'string' ? sentId : null
  const toItself = writtenToItself(prepared, rules)
  const known = knownColumns(schema, { id, attributes })
  const isFilled = (name: string) => toItself.has(name) && keyToItself(schema, name, known) !== null
  return {
    validated: Object.freeze({
      id,
      attributes,
      relationships,
      toItself,
      links,
      prepared,
      rules,
      unasked: [],
    }),
    failures: [
      ...found,
      ...failures,
      ...emptyRelations(schema, relationships, (name) => failed.has(name) || isFilled(name)),
    ],
  }
}

/** What was sent and has a rule. */
const writtenValues = (
  { data, sent }: { readonly data: Values; readonly sent: ReadonlySet<string> },
  rules: FieldRules,
) => [...sent].filter((name) => rules.fields.has(name)).map((name) => [name, data[name]] as const)

const writtenRelations = (prepared: Prepared, rules: FieldRules): ReadonlyMap<string, Linkage> => {
  const { relations } = prepared.operation.schema
  const written = writtenValues(prepared, rules).filter(([name]) => relations.has(name)) as [string, Linkage][]
  return new Map(written.map(([name, linkage]) => [name, withoutItself(prepared, linkage)]))
}

function withoutItself({ itself }: Prepared, linkage: Linkage): Linkage {
  if (!itself || linkage === null) return linkage
  const isItself = (each: Identifier) => namesItself(each, itself.identifier)
  if (isMany(linkage)) return linkage.filter((each) => !isItself(each))
  return isItself(linkage) ? null : linkage
}

/** Relations that lead to the new resource itself, of those that are written. */
const writtenToItself = ({ itself }: Prepared, rules: FieldRules): ReadonlySet<string> =>
  new Set([...(itself?.relations ?? [])].filter((name) => rules.fields.has(name)))

// However loose the rule, a foreign key that cannot be null is not emptied.
function emptyRelations(
  schema: ResourceSchema,
  relationships: ReadonlyMap<string, Linkage>,
  isLeftOut: (name: string) => boolean,
): readonly Failure[] {
  return [...relationships]
    .filter(([name, linkage]) => linkage === null && !isLeftOut(name) && !mayBeEmpty(schema.relations.get(name)))
    .map(([name]) => failure([name], 'required'))
}

const mayBeEmpty = (relation: Relation | undefined): boolean =>
  relation !== undefined && 'isNullable' in relation && relation.isNullable
