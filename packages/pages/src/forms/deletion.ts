import { find } from '@prismapi/core/read/find'
import { isTrashed } from '@prismapi/core/write/write-row'
import type { Identifier } from '@prismapi/jsonapi/document/types'
import type { Row } from '@prismapi/jsonapi/model/where'
import type { ResourceOperation } from '@prismapi/jsonapi/request/operation'
import { isToMany } from '@prismapi/jsonapi/schema/relation-kinds'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { answerTo } from '../data/answer-to.ts'
import { pageDataFrom } from '../data/page-data.ts'
import { type Caller, deleteMark, type PageRequest, sentMethod, sentSeal, sentVersion } from '../data/page-request.ts'
import { nameOf, type Showing } from '../data/showing.ts'
import { type Content, type Html, hidden, html } from '../html/html.ts'
import { blockingRows, reasonHtml, referringRows } from '../resource/permissions.ts'
import { type Reason, whyKept } from '../resource/reasons.ts'
import { named } from '../resource/relationships.ts'
import { capital, fieldWords, joined, oneOf, type Words } from '../texts/words.ts'
import { deletion as words } from '../texts/writing.ts'
import { type AffectedRows, affectedRows } from './affected-rows.ts'

/** The way to the question whether it is to be deleted; where it cannot be, a button that does nothing. */
export function deleteLink(path: string, refusal: Reason | null): Content {
  const href = `${path}?${deleteMark}=true`
  if (!refusal) return html`<a class="button bad" id="delete" href="${href}">${words.remove}</a>`
  return html`<button id="delete" disabled aria-describedby="kept">${words.remove}</button>`
}

/** Beside a button that does nothing the reason, and the way to what is in the way. */
export const keptBy = (path: string, { sentences }: Reason): Html =>
  html`<p class="kept-by" id="kept"><a href="${path}?${deleteMark}=true">${joined(sentences, ' ')}</a></p>`

/** The operation, where the page asks whether its resource is to be deleted. */
export const resourceToDelete = ({ own, operation, status }: PageRequest): ResourceOperation | null =>
  own.has(deleteMark) && operation?.kind === 'view' && status < 300 ? operation : null

/** The question, what goes along, and a form that needs no script; or why it cannot be, and what is in the way. */
export async function deletion(
  browsed: PageRequest,
  showing: Showing,
  { schema, id }: ResourceOperation,
): Promise<{ readonly title: Words; readonly content: Content; readonly beside?: Content }> {
  const { caller, path, etag, seal } = browsed
  const name = nameOf(showing, { type: schema.type, id })
  const [asked, cannot] = [capital(words.title(name)), capital(words.cannot(name))]
  const row = caller && (await find(caller.ctx, schema, id))
  const away = html`<p class="asks"><a class="button other" href="${path}">${words.leave}</a></p>`
  if (!row || !schema.operations.has('delete')) return { title: cannot, content: [html`<p>${words.refused}</p>`, away] }
  const reason = await whyKept(caller.ctx, schema, { id, row })
  const blocking = reason?.isOfRows
    ? await referringRows(caller, schema, row)
    : reason
      ? []
      : await blockingRows(caller, schema, row)
  if (reason || blocking.length > 0)
    return {
      title: cannot,
      content: html`<section class="kept" role="note">${reason && reasonHtml(reason)}
${await blockersHtml(caller, showing, { schema, id, row, blocking })}</section>${away}`,
    }
  const version = etag?.startsWith('"') ? etag : null
  const content = [
    await consequences(caller, schema, [row]),
    html`<form class="asks" method="post" action="${path}">
${hidden(sentMethod, 'DELETE')}${seal && hidden(sentSeal, seal)}${version && hidden(sentVersion, version)}
<button class="bad">${words.remove}</button> <a class="button other" href="${path}">${words.back}</a></form>`,
  ]
  return { title: asked, content }
}

interface Blocked {
  readonly schema: ResourceSchema
  readonly id: string
  readonly row: Row
  readonly blocking: readonly AffectedRows[]
}

const shownBlockers = 5

/** The rows that refer to it, the first of them by their names. Those that cannot be counted are left out. */
async function blockersHtml(caller: Caller, showing: Showing, { schema, id, blocking }: Blocked): Promise<Content> {
  const lists: Content[] = []
  for (const { schema: theirs, count } of blocking) {
    const relation = [...schema.relations.values()].find(
      (each) => isToMany(each) && 'model' in each && each.model === theirs.model.name,
    )
    const own = caller.ctx.server.schemas.byType.get(schema.type)?.relations.get(relation?.name ?? '')
    const document =
      own &&
      (await answerTo(
        caller.ctx,
        { kind: 'viewRelated', schema, id, relation: own },
        new URLSearchParams({ include: '' }),
      ))
    const rows =
      document && Array.isArray(document.data) ? (document.data as readonly Identifier[]).slice(0, shownBlockers) : []
    const beside = document ? pageDataFrom([document]) : showing.beside
    const all = `${caller.api.basePath}/${schema.type}/${encodeURIComponent(id)}/${relation?.name}`
    lists.push(html`<p>${words.held(count ?? 0, theirs)}</p><ul class="blockers">${rows.map((each) => html`<li>${named({ ...showing, beside }, each)}</li>`)}</ul>
${relation && rows.length !== count && html`<p><a href="${all}">${words.showAll}</a></p>`}`)
  }
  return lists
}

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
