import { find } from '@prismapi/core/read/find'
import { isTrashed } from '@prismapi/core/write/write-row'
import type { Row } from '@prismapi/jsonapi/model/where'
import type { ResourceOperation } from '@prismapi/jsonapi/request/operation'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { type Caller, deleteMark, type PageRequest, sentMethod, sentSeal, sentVersion } from '../data/page-request.ts'
import { type Content, type Html, hidden, html } from '../html/html.ts'
import { isOffered } from '../many/offered.ts'
import { fieldWords, oneOf, type Words } from '../texts/words.ts'
import { deletion as words } from '../texts/writing.ts'
import { affectedRows } from './affected-rows.ts'
import { whyNot } from './why-not.ts'

/** The way to the question whether a resource is to be deleted. */
export const deleteLink = (path: string): Html =>
  html`<a class="button bad" id="delete" href="${path}?${deleteMark}=true">${words.remove}</a>`

/** The operation, where the page asks whether its resource is to be deleted. */
export const resourceToDelete = ({ own, operation, status }: PageRequest): ResourceOperation | null =>
  own.has(deleteMark) && operation?.kind === 'view' && status < 300 ? operation : null

/** The question, what goes along, and a form that needs no script. */
export async function deletion(browsed: PageRequest, { schema, id }: ResourceOperation): Promise<Content> {
  const { caller, path, etag, seal } = browsed
  const row = caller && (await find(caller.ctx, schema, id))
  const away = html`<a href="${path}">${words.back}</a>`
  if (!row || !schema.operations.has('delete')) return html`<p>${words.refused} ${away}</p>`
  const reasons = await whyNot(caller.ctx, schema, { id, row })
  if (!(await isOffered(caller.ctx, { kind: 'delete', schema, id }, row)))
    return [html`<p>${words.refused} ${away}</p>`, listed(reasons)]
  const version = etag?.startsWith('"') ? etag : null
  return [
    reasons.length > 0 && [html`<p>${words.willFail}</p>`, listed(reasons)],
    await consequences(caller, schema, [row]),
    html`<form class="asks" method="post" action="${path}">
${hidden(sentMethod, 'DELETE')}${seal && hidden(sentSeal, seal)}${version && hidden(sentVersion, version)}
<button class="bad">${words.remove}</button> <a href="${path}">${words.back}</a></form>`,
  ]
}

const listed = (reasons: readonly Words[]): Content =>
  reasons.length > 0 && html`<ul class="errors">${reasons.map((reason) => html`<li>${reason}</li>`)}</ul>`

/** What becomes of the rows, and of others with them. */
export async function consequences(caller: Caller, schema: ResourceSchema, rows: readonly Row[]): Promise<Content> {
  const api = rows.length === 1 ? words.one : words.several
  // A row that is only marked as deleted stays, and so does what refers to it.
  const removed = rows.filter((row) => schema.deletedAt === null || isTrashed(schema, row))
  const marked = removed.length < rows.length && html`<p>${api.marked}</p>`
  if (removed.length === 0) return marked
  const along = await affectedRows(caller, schema, removed)
  if (along.length === 0) return [marked, html`<p>${api.alone}</p>`]
  const fates = (['kept', 'removed', 'cleared'] as const).map((fate) => {
    const those = along.filter((each) => each.fate === fate)
    return listedBelow(
      api[fate],
      those.flatMap(({ schema, count }) => (count === null ? [] : numberOf(schema, count))),
    )
  })
  const types = new Set(along.flatMap(({ schema: { type }, count }) => (count === null ? [type] : [])))
  return [marked, fates, listedBelow(words.uncounted, [...types].map(fieldWords))]
}

const listedBelow = (title: Words, lines: readonly Words[]): Content =>
  lines.length > 0 && html`<p>${title}</p><ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>`

const numberOf = (schema: ResourceSchema, count: number): Words =>
  words.some(count, count === 1 ? oneOf(schema) : fieldWords(schema.type))
