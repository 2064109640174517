import type { FieldAccess } from '../condition/field-access.ts'
import { JsonApiError } from '../document/error.ts'
import { linkForbidden } from '../document/errors.ts'
import { type Message, say } from '../document/text.ts'
import type { Linkage } from '../document/types.ts'
import type { Row } from '../model/where.ts'
import type { RelatedRows } from '../read/related-rows.ts'
import { inverseOf, isKeptElsewhere, keeperOf, prismaFieldsOf, type Relation } from '../schema/relation-kinds.ts'
import { type ResourceSchema, schemaOf } from '../schema/resource-schema.ts'
import { identifiersOf } from '../write/input/foreign-keys.ts'
import type { ChangedRow, LinkChange, LinkMode } from '../write/links/link-change.ts'
import { planLinks } from '../write/links/plan-links.ts'
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
  /** Where the document has an identifier, or the relation where it has none. */
  readonly pointerOf: (relation: Relation, place: number | null) => string
}

/**
 * A link that is kept in a row of another type is a write of that row: the caller has to be allowed to `update` it as it stands before, and
 * its relation that leads back. Where rows of a model of its own keep the links, their `create` and `delete` are asked. All doors by
 * which links are made and ended pass here, and write what comes out.
 *
 * The write is then done again inside of its transaction, so that what is permitted is what is written.
 *
 * @throws {JsonApiError} 403 with an error for each row that the caller may not change.
 */
export async function permitLinks(
  ctx: AuthContext,
  subject: LinkingSubject,
  written: ReadonlyMap<string, Linkage>,
): Promise<readonly LinkChange[]> {
  const { schema, row, related, mode } = subject
  const changes: LinkChange[] = []
  for (const [name, linkage] of written) {
    const relation = schema.relations.get(name)
    if (!relation || !isKeptElsewhere(relation)) continue
    // A new row has no links that would end.
    if (row === null && identifiersOf(linkage).length === 0) continue
    ctx.preparation.hasReadOthers = true
    changes.push(await planLinks({ ctx, related }, row, { relation, linkage, mode }))
  }
  const failures: JsonApiError[] = []
  for (const change of changes) {
    if (!change.relation.asksUpdate) continue
    for (const question of questionsOf(ctx, change)) failures.push(...(await refusals(ctx, subject, question)))
  }
  const error = JsonApiError.all(failures)
  if (error) throw error
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

function questionsOf({ server }: AuthContext, { relation, made, ended }: LinkChange): readonly Question[] {
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

async function refusals(
  ctx: AuthContext,
  { pointerOf }: LinkingSubject,
  question: Question,
): Promise<readonly JsonApiError[]> {
  const { relation, changed, detail } = question
  if (changed.length === 0) return []
  const decisions = await decide(ctx, question)
  return decisions.flatMap((decision, i) => {
    const { row, at } = changed[i] as ChangedRow
    if (decision.allowed) return []
    const { status, message } = decision
    return [linkForbidden(status ?? 403, message ?? detail(row), pointerOf(relation, at))]
  })
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
