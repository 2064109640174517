import { attachPermissions } from '@prismapi/core/auth/can'
import { possibleWithRow } from '@prismapi/core/auth/possible'
import type { Resource } from '@prismapi/core/read/resource'
import { isUnruled } from '@prismapi/core/validation/request/describe-rules'
import { isTrashed } from '@prismapi/core/write/write-row'
import type { Can } from '@prismapi/jsonapi/document/types'
import { type Operation, policyAction } from '@prismapi/jsonapi/request/operation'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import type { Caller } from '../data/page-request.ts'
import { type AffectedRows, affectedRows } from '../forms/affected-rows.ts'
import { type Content, type Html, html } from '../html/html.ts'
import { may as words } from '../texts/reading.ts'
import { fieldWords, joined, titleOf, type Words } from '../texts/words.ts'
import { deletion } from '../texts/writing.ts'
import { type Reason, whyDenied, whyKept, whyUnable } from './reasons.ts'

/** Something that can be done with a resource: may its reader do it, and why not. */
interface Permission {
  readonly kind: Operation['kind']
  readonly title: Words
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
      permissions.filter(({ kind }) => kinds.includes(kind)),
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

/** First what its reader may not do, and why; all the rest in one line. */
function groupHtml(title: Words, permissions: readonly Permission[]): Content {
  if (permissions.length === 0) return null
  const isPlain = ({ answer, reason }: Permission) => answer === true && reason === null
  const others = permissions.filter((each) => !isPlain(each))
  const allowed = permissions.filter(isPlain)
  const list = others.length > 0 && html`<ul>${others.map(shown)}</ul>`
  const titles = joined(
    allowed.map((each) => each.title),
    ', ',
  )
  const line = allowed.length > 0 && html`<p class="allowed">${mark(true)}<span>${titles}</span></p>`
  const folded = (summary: Content, content: Content) =>
    html`<details><summary>${summary}</summary>${content}</details>`
  return html`<h3>${title}</h3>${others.length > mostOpen ? folded(words.refusals(others.length), list) : list}
${allowed.length > mostInLine ? folded([mark(true), ` ${allowed.length}`], line) : line}`
}

interface Answered {
  readonly operation: Operation
  readonly answer: Can[string]
}

async function permission(caller: Caller, resource: Resource, { operation, answer }: Answered): Promise<Permission> {
  const { ctx } = caller
  const { kind } = operation
  const { schema, row } = resource
  const title = actionTold(schema, policyAction(operation))
  const isDelete = kind === 'delete' || kind === 'forceDelete'
  if (isDelete && answer !== null) {
    const reason = await whyNotDeleted(caller, resource)
    return { kind, title, answer: reason === null, reason }
  }
  if (answer !== false) {
    const reason = await whyUnable(operation, row)
    return { kind, title, answer: reason ? false : answer, reason }
  }
  const denied = await whyDenied(ctx, operation, row)
  const other = isUnruled(ctx, operation, row) ? words.unruled : words.links
  return { kind, title, answer, reason: denied ?? { sentences: [other], places: [] } }
}

/** Why it cannot be deleted: by the rules, or by the rows that the database would not let go without it. */
export const whyNotDeleted = async (caller: Caller, { schema, row, id }: Resource): Promise<Reason | null> =>
  (await whyKept(caller.ctx, schema, { id, row })) ?? heldBy(await blockingRows(caller, schema, row))

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

const shown = ({ title, answer, reason }: Permission): Html =>
  html`<li>${mark(answer)}<div>${title}${fieldsTold(answer)}${reason && reasonHtml(reason)}</div></li>`

/** Why not: in a sentence, and by the rule that says so, with its file and line. */
export const reasonHtml = ({ sentences, places }: Reason): Html =>
  html`<div class="why">${sentences.map((sentence) => html`<p>${sentence}</p>`)}${rulesHtml(places)}</div>`

/** Rules, each with its text, its file and its line. */
export const rulesHtml = (places: Reason['places']): Content =>
  places.map(
    ({ at, text }) => html`<p class="rule">${text !== null && html`<code>${text}</code> `}<small>${at}</small></p>`,
  )

const ofRelations = ['viewRelated', 'updateRelationship', 'attach', 'detach'] as const

/** `attachTags` → `Attach tags` */
function actionTold(schema: ResourceSchema, action: string): Words {
  for (const relation of schema.relations.values())
    for (const kind of ofRelations)
      if (policyAction({ kind, schema, relation, id: '' }) === action)
        return words.relations[kind](fieldWords(relation.name))
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
