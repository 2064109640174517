import { attachPermissions } from '@prismapi/core/auth/can'
import { possibleWithRow } from '@prismapi/core/auth/possible'
import type { Resource } from '@prismapi/core/read/resource'
import { isTrashed } from '@prismapi/core/write/write-row'
import { english } from '@prismapi/jsonapi/document/text'
import type { Can } from '@prismapi/jsonapi/document/types'
import { fateOf, type RelationMeta } from '@prismapi/jsonapi/model/meta'
import { type Operation, policyAction } from '@prismapi/jsonapi/request/operation'
import { isToMany } from '@prismapi/jsonapi/schema/relation-kinds'
import { type ResourceSchema, schemaOf } from '@prismapi/jsonapi/schema/resource-schema'
import type { Caller } from '../data/page-request.ts'
import type { Showing } from '../data/showing.ts'
import { type AffectedRows, affectedRows } from '../forms/affected-rows.ts'
import { type Content, type Html, html } from '../html/html.ts'
import { may as words } from '../texts/reading.ts'
import { capital, eachOf, fieldWords, joined, titleOf, type Words, wordsIn } from '../texts/words.ts'
import { deletion } from '../texts/writing.ts'
import { type Reason, whyDenied, whyKept, whyOpen, whyRuledOut, whyUnable, whyUnwritten } from './reasons.ts'

/** Something that can be done with a resource: may its reader do it, and why not. */
interface Permission {
  readonly operation: Operation
  readonly answer: Can[string]
  readonly reason: Reason | null
}

/** What the caller may do with a resource, by the rules that the API decides by; of each no, what says so. */
export async function permissionsHtml(caller: Caller, resource: Resource): Promise<Content> {
  const { ctx } = caller
  const withCan: Resource = { ...resource, schema: { ...resource.schema, showsCan: true } }
  await attachPermissions(ctx, [withCan], new Map())
  if (!withCan.can) return null
  const { schema, row, id } = resource
  const permissions: Permission[] = []
  for (const { name, operationOn } of possibleWithRow(schema)[isTrashed(schema, row) ? 'trashed' : 'kept'])
    permissions.push(
      await permission(caller, resource, { operation: operationOn(id), answer: withCan.can[name] ?? null }),
    )
  return html`<section class="permissions card"><h2>${words.title}</h2>${groups.map(({ title, kinds }) =>
    groupHtml(
      title,
      permissions.filter(({ operation }) => kinds.includes(operation.kind)),
    ),
  )}</section>`
}

/** Relations come last: types may have many. */
const groups: readonly { readonly title: Words; readonly kinds: readonly Operation['kind'][] }[] = [
  { title: words.groups.reading, kinds: ['view', 'viewRelated', 'viewRelationship'] },
  { title: words.groups.writing, kinds: ['update', 'delete', 'forceDelete'] },
  { title: words.groups.actions, kinds: ['action'] },
  { title: words.groups.relations, kinds: ['updateRelationship', 'attach', 'detach'] },
]

const mostOpen = 6
const mostInLine = 20

/** First what its reader may not do, a line for each cause; all the rest in one line. */
function groupHtml(title: Words, permissions: readonly Permission[]): Content {
  if (permissions.length === 0) return null
  const isPlain = ({ answer, reason }: Permission) => answer === true && reason === null
  const others = permissions.filter((each) => !isPlain(each))
  const allowed = permissions.filter(isPlain)
  const lines = linesOf(others)
  const list = others.length > 0 && html`<ul>${lines.map(shown)}</ul>`
  const line = allowed.length > 0 && html`<p class="allowed">${mark(true)}<span>${told(allowed)}</span></p>`
  return html`<h3>${title}</h3>${lines.length > mostOpen ? folded(words.refusals(others.length), list) : list}
${allowed.length > mostInLine ? folded([mark(true), ` ${allowed.length}`], line) : line}`
}

const folded = (summary: Content, content: Content): Html =>
  html`<details><summary>${summary}</summary>${content}</details>`

type Line = readonly [Permission, ...Permission[]]

/** What has one answer for one cause, as its reader is told. */
function linesOf(permissions: readonly Permission[]): readonly Line[] {
  const lines = new Map<string, [Permission, ...Permission[]]>()
  for (const each of permissions) {
    const sentences = each.reason?.sentences.map((sentence) => wordsIn(english, sentence))
    const key = JSON.stringify([each.answer, sentences])
    const line = lines.get(key)
    if (line) line.push(each)
    else lines.set(key, [each])
  }
  return [...lines.values()]
}

/** What can be done, in words: seeing it and what is related to it as one, as changing a relation and parts of that. */
function told(line: readonly Permission[]): Words {
  const operations = line.map(({ operation }) => operation)
  const related = operations.flatMap((each) => (each.kind === 'viewRelated' ? fieldWords(each.relation.name) : []))
  if (operations[0]?.kind === 'view' && related.length > 0) return words.seeWith(related)
  const changed = operations.flatMap((each) => (each.kind === 'updateRelationship' ? each.relation : []))
  const isPart = (each: Operation) =>
    (each.kind === 'attach' || each.kind === 'detach') && changed.includes(each.relation)
  return joined(operations.filter((each) => !isPart(each)).map(actionTold), ', ')
}

interface Answered {
  readonly operation: Operation
  readonly answer: Can[string]
}

async function permission(caller: Caller, resource: Resource, { operation, answer }: Answered): Promise<Permission> {
  const { ctx } = caller
  const { kind } = operation
  const { row } = resource
  const isDelete = kind === 'delete' || kind === 'forceDelete'
  if (isDelete && answer !== null) {
    const reason = await whyNotDeleted(caller, resource)
    return { operation, answer: reason === null, reason }
  }
  if (answer !== false) {
    const reason = await whyUnable(operation, row)
    return {
      operation,
      answer: reason ? false : answer,
      reason: reason ?? (answer === null ? whyOpen(ctx, operation) : null),
    }
  }
  const denied = await whyDenied(ctx, operation, row)
  return { operation, answer, reason: denied ?? whyUnwritten(ctx, operation, row) }
}

/** Why it cannot be deleted: by the rules, or by the rows that the database would not let go without it. */
export const whyNotDeleted = async (caller: Caller, { schema, row, id }: Resource): Promise<Reason | null> =>
  (await whyKept(caller.ctx, schema, { id, row })) ?? heldBy(await blockingRows(caller, schema, row))

/** The same, as far as the page of the resource knows it: by the rules, or by rows that it shows anyway. */
export const whySeenKept = async (
  { ctx }: Caller,
  resource: Resource,
  { beside }: Pick<Showing, 'beside'>,
): Promise<Reason | null> => {
  const { schema, row, id } = resource
  const ruled = await whyRuledOut(ctx, schema, { id, row })
  if (ruled || (schema.deletedAt !== null && !isTrashed(schema, row))) return ruled
  const holding = [...schema.relations.values()].filter((relation) => {
    if (relation.kind !== 'hasMany' && relation.kind !== 'hasOne') return false
    const { model } = schemaOf(ctx.server.schemas, relation.model)
    const shown = beside.relationshipOf({ type: schema.type, id }, relation.name)?.data ?? []
    return [shown].flat().length > 0 && fateOf(model, model.relations[relation.inverse] as RelationMeta) === 'kept'
  })
  const types = holding.map(({ name }) => fieldWords(name))
  return types.length === 0 ? null : { sentences: [capital(deletion.heldBy(eachOf(types)))], places: [] }
}

/** The rows that the database would not let go without: those that the caller may list. */
export const blockingRows = async (
  caller: Caller,
  schema: ResourceSchema,
  row: Resource['row'],
): Promise<readonly AffectedRows[]> =>
  schema.deletedAt !== null && !isTrashed(schema, row) ? [] : referringRows(caller, schema, row)

/** The rows that refer to a row and stay: those that the caller may list. */
export async function referringRows(
  caller: Caller,
  schema: ResourceSchema,
  row: Resource['row'],
): Promise<readonly AffectedRows[]> {
  const affected = await affectedRows(caller, schema, [row])
  return affected.filter(({ fate, count }) => fate === 'kept' && count !== null)
}

const heldBy = (rows: readonly AffectedRows[]): Reason | null =>
  rows.length === 0
    ? null
    : { sentences: rows.map(({ schema, count }) => deletion.held(count ?? 0, schema)), places: [] }

function shown(line: Line): Html {
  const [{ answer, reason }] = line
  const all = line.flatMap((each) => each.reason?.places ?? [])
  const places = all.filter((place, i) => all.findIndex(({ at, text }) => at === place.at && text === place.text) === i)
  const why = reason && reasonHtml({ ...reason, places })
  return html`<li>${mark(answer)}<div>${told(line)}${fieldsTold(answer)}${why}</div></li>`
}

/** Why not: in a sentence, and folded, by the rule that says so, with its file and line. */
export const reasonHtml = ({ sentences, places }: Reason): Html =>
  html`<div class="why">${sentences.map((sentence) => html`<p>${sentence}</p>`)}${places.length > 0 && html`<details class="where"><summary>${words.where}</summary>${rulesHtml(places)}</details>`}</div>`

/** Rules, each with its text, its file and its line. */
export const rulesHtml = (places: Reason['places']): Content =>
  places.map(
    ({ at, text }) => html`<p class="rule">${text !== null && html`<code>${text}</code> `}<small>${at}</small></p>`,
  )

/** `attachTags` → `Add existing tags` */
const actionTold = (operation: Operation): Words => {
  const { kind } = operation
  const action = policyAction(operation)
  if (kind === 'viewRelated' || kind === 'updateRelationship' || kind === 'attach' || kind === 'detach')
    return words.relations[kind](fieldWords(operation.relation.name), isToMany(operation.relation))
  return words.kinds[action] ?? titleOf(action)
}

const mark = (answer: Can[string]): Content => {
  if (answer === null) return html`<span class="mark">${words.unknown}</span>`
  return answer === false
    ? html`<span class="mark no">${words.no}</span>`
    : html`<span class="mark yes">${words.yes}</span>`
}

const fieldsTold = (answer: Can[string]): Content =>
  typeof answer === 'object' &&
  answer !== null &&
  html` <small>${words.only(joined(answer.map(titleOf), ', '))}</small>`
