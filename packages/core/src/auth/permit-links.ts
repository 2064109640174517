import type { FieldAccess } from '@prismapi/jsonapi/condition/scopes'
import { type Failures, throwAll } from '@prismapi/jsonapi/document/error'
import { linkForbidden } from '@prismapi/jsonapi/document/errors'
import { type Message, say } from '@prismapi/jsonapi/document/text'
import type { Linkage } from '@prismapi/jsonapi/document/types'
import type { Row } from '@prismapi/jsonapi/model/where'
import {
  inverseOf,
  isKeptElsewhere,
  keeperOf,
  prismaFieldsOf,
  type Relation,
} from '@prismapi/jsonapi/schema/relation-kinds'
import { type ResourceSchema, schemaOf } from '@prismapi/jsonapi/schema/resource-schema'
import type { RelatedRows } from '../read/find.ts'
import { identifiersOf } from '../write/input.ts'
import {
  type ChangedRow,
  isTakeOver,
  type LinkChange,
  type LinkMode,
  type TakeOver,
} from '../write/links/link-change.ts'
import { planLinks } from '../write/links/plan-links.ts'
import { planTakeOver } from '../write/links/plan-take-over.ts'
import type { AuthContext } from './auth-context.ts'
import { decideCreation, decideEach } from './decide-each.ts'
import { type Decision, deny } from './decision.ts'
import { fieldsFor } from './viewable.ts'

/** The resource whose relations are written. */
export interface LinkingSubject {
  readonly schema: ResourceSchema
  /** Null for a new one. */
  readonly row: Row | null
  readonly related: RelatedRows
  readonly mode: LinkMode
  /** Relations of a new resource that lead to itself; left out where none does. */
  readonly toItself?: ReadonlySet<string>
  /** Where the document has an identifier, or the relation where it has none. */
  readonly pointerOf: (relation: Relation, place: number | null) => string
}

/**
 * A link that is kept in a row of another type is a write of that row: the caller must be allowed to `update` the row
 * as it stands before, and the relation of it that leads back. If rows of a model of their own keep the links, the
 * caller must be allowed to `create` and `delete` these. Everything that makes or ends links calls this function, and
 * writes the changes that it returns.
 *
 * The transaction calls it again, so that it writes exactly what is permitted.
 *
 * @throws {JsonApiError} 403 with an error for each row that the caller may not change, up to a thousand; 400 for too
 * many rows.
 */
export async function permitLinks(
  ctx: AuthContext,
  subject: LinkingSubject,
  written: ReadonlyMap<string, Linkage>,
): Promise<readonly LinkChange[]> {
  const { schema, row, related, mode, toItself } = subject
  const changes: LinkChange[] = []
  // `create` of the new row was decided before. `create` of a pivot, which leads from it to itself, was not.
  const asked: LinkChange[] = []
  for (const [name, linkage] of written) {
    const relation = schema.relations.get(name)
    if (!relation) continue
    if (!isKeptElsewhere(relation)) {
      const taken = await planTakeOver({ ctx, related }, { schema, row }, { relation, linkage })
      if (taken) {
        ctx.preparation.hasReadOthers = true
        changes.push(taken)
      }
      continue
    }
    // A new row has no links that would end.
    if (row !== null || identifiersOf(linkage).length > 0) {
      ctx.preparation.hasReadOthers = true
      changes.push(await planLinks({ ctx, related }, row, { relation, linkage, mode }))
    }
    if (toItself?.has(name)) asked.push({ relation, made: [{ row: newRow, at: null }], ended: [] })
  }
  const failures: Failures[] = []
  for (const change of [...changes, ...asked.filter(({ relation }) => relation.kind === 'manyThrough')]) {
    if (!isTakeOver(change) && !change.relation.asksUpdate) continue
    for (const question of questionsOf(ctx, schema, change)) failures.push(await refusals(ctx, subject, question))
  }
  throwAll(allOf(failures))
  ctx.observer?.linksPermitted?.()
  return changes
}

/** What is asked of the rows that keep the links. */
interface Question {
  readonly relation: LinkChange['relation']
  /** The type of the rows that are changed. */
  readonly schema: ResourceSchema
  readonly action: 'create' | 'update' | 'delete'
  readonly changed: readonly ChangedRow[]
  /** The relations of that type that are set, by Prisma's names: their field rules are asked, too. */
  readonly fields: readonly string[]
  /** What is told where the policy says nothing. */
  readonly detail: (row: Row) => Message
}

function questionsOf({ server }: AuthContext, own: ResourceSchema, change: LinkChange): readonly Question[] {
  if (isTakeOver(change)) return [lossOf(own, change)]
  const { relation, made, ended } = change
  const schema = schemaOf(server.schemas, keeperOf(relation))
  const { type, id } = schema
  if (relation.kind === 'manyThrough') {
    const { from, to } = relation.pivot
    const creation = { action: 'create', changed: made, fields: [from.name, to.name] } as const
    const removal = { action: 'delete', changed: ended, fields: [] } as const
    return [
      { ...creation, relation, schema, detail: () => say`You may not create resources of type ${type}.` },
      { ...removal, relation, schema, detail: (row) => say`You may not delete ${type} ${id.format(row)}.` },
    ]
  }
  const inverse = inverseOf(relation, schema)
  const detail = (row: Row) =>
    inverse
      ? say`You may not change the ${inverse.name} of ${type} ${id.format(row)}.`
      : say`You may not change ${type} ${id.format(row)}.`
  // What cannot be without its parent is deleted, by the schema class's word, and 409 without it.
  const changed = relation.isDetachable ? [...made, ...ended] : made
  return [{ relation, schema, action: 'update', changed, fields: [relation.inverse], detail }]
}

/** In a one-to-one, the policy of the row that loses its partner is asked, from whichever side the client writes. */
const lossOf = (schema: ResourceSchema, { relation, field, ended }: TakeOver): Question => ({
  ...{ relation, schema, action: 'update', changed: ended, fields: [field] },
  detail: (row) => say`You may not change the ${relation.name} of ${schema.type} ${schema.id.format(row)}.`,
})

async function refusals(ctx: AuthContext, { pointerOf }: LinkingSubject, question: Question): Promise<Failures> {
  if (question.changed.length === 0) return []
  return refused(question, await decide(ctx, question), pointerOf)
}

function* refused(
  { relation, changed, detail }: Question,
  decisions: readonly Decision[],
  pointerOf: LinkingSubject['pointerOf'],
): Failures {
  for (const [i, decision] of decisions.entries()) {
    if (decision.allowed) continue
    const { row, at } = changed[i] as ChangedRow
    const { status, message } = decision
    yield linkForbidden(status ?? 403, message ?? detail(row), pointerOf(relation, at))
  }
}

function* allOf(lists: readonly Failures[]): Failures {
  for (const failures of lists) yield* failures
}

/** By the rules about rows; where these allow it, by those about the relations that are set. */
async function decide(ctx: AuthContext, question: Question): Promise<readonly Decision[]> {
  const { schema, action, changed } = question
  const rows = changed.map(({ row }) => row)
  const byRows =
    action === 'create'
      ? Array<Decision>(rows.length).fill(await decideCreation(ctx, schema))
      : await decideEach(ctx, schema, { action, rows })
  return byFields(ctx, question, byRows)
}

async function byFields(
  ctx: AuthContext,
  { schema, action, changed, fields }: Question,
  decisions: readonly Decision[],
): Promise<readonly Decision[]> {
  const access = action === 'delete' ? null : fieldsFor(ctx, schema.model.name, action)
  if (!access) return decisions
  let decided = decisions
  for (const field of fields) {
    const condition = access.stored.get(field)
    if (!condition) continue
    const asked = changed.flatMap(({ row }, i) => (decided[i]?.allowed ? [row] : []))
    // Nothing is known of a row that is not there yet.
    const written = action === 'create' ? none : await ctx.abilityOf(schema.model.name).among(asked, condition)
    tell(ctx, { schema, access, field }, asked, written)
    decided = decided.map((decision, i) => {
      const { row } = changed[i] as ChangedRow
      return decision.allowed && !written.has(row) ? deny() : decision
    })
  }
  return decided
}

const none: ReadonlySet<Row> = new Set()

const newRow: Row = Object.freeze({})

function tell(
  { observer }: AuthContext,
  { schema, access, field }: { readonly schema: ResourceSchema; readonly access: FieldAccess; readonly field: string },
  asked: readonly Row[],
  written: ReadonlySet<Row>,
): void {
  if (!observer?.fieldWritten) return
  const relations = [...schema.relations.values()]
  const name = relations.find((relation) => prismaFieldsOf(relation).includes(field))?.name ?? field
  for (const row of asked) observer.fieldWritten({ schema, allowed: written.has(row), rules: access.ruledBy(name) })
}
