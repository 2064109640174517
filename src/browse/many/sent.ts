import { badRequest, payloadTooLarge } from '../../document/errors.ts'
import { say } from '../../document/text.ts'
import type { Limits } from '../../request/limits.ts'
import { backMark, manyMark, type PageRequest, rowMark, rowVersion, typeMark } from '../data/page-request.ts'
import { labelOfOne } from '../data/picker.ts'
import { typeAndId } from '../data/showing.ts'
import { putFields } from '../forms/sent-fields.ts'
import { backTo } from '../frame/back.ts'
import { type Content, html } from '../html/html.ts'
import { resourceHref } from '../resource/relationships.ts'
import { many as words } from '../texts/writing.ts'

/**
 * The document of the atomic request that a form about many rows stands for.
 *
 * @throws {JsonApiError} 400 for more rows than one request takes, 413 where the document would be longer than one may be
 */
export function operationsOf(
  form: URLSearchParams,
  { operations: most, bodyBytes }: Pick<Limits, 'operations' | 'bodyBytes'>,
): object {
  const ids = form.getAll(rowMark)
  if (ids.length > most) throw badRequest(say`Choose at most ${most} rows.`)
  const type = form.get(typeMark) ?? ''
  const isDelete = form.get(manyMark) === 'delete'
  const changed: { readonly data: object } = { data: {} }
  if (!isDelete) putFields(form, changed, { isUpdate: true })
  // All rows get the same: it is written once for each.
  if (JSON.stringify(changed).length * ids.length > bodyBytes) throw payloadTooLarge(bodyBytes)
  const operations = ids.map((id) => {
    const version = form.get(rowVersion(id))
    const one = { type, id, ...(version !== null && { meta: { version } }) }
    return isDelete ? { op: 'remove', ref: one } : { op: 'update', data: { ...changed.data, ...one } }
  })
  return { 'atomic:operations': operations }
}

/** Was a form about many rows refused? */
export const isRefused = ({ sent, status }: Pick<PageRequest, 'sent' | 'status'>): boolean =>
  sent?.has(manyMark) === true && status >= 400

/** What was wrong, by row: the pointer of an error begins with the place of its operation. */
export async function refused({ sent, document, caller, server }: PageRequest): Promise<Content> {
  const type = sent?.get(typeMark) ?? ''
  const ids = sent?.getAll(rowMark) ?? []
  const schema = caller?.api.schemas.byType.get(type)
  const lines = (document.errors ?? []).map(async ({ title, detail, source }): Promise<Content> => {
    const [, place] = /^\/atomic:operations\/(\d+)/.exec((source && 'pointer' in source && source.pointer) || '') ?? []
    const id = place === undefined ? undefined : ids[Number(place)]
    if (id === undefined) return html`<li>${detail ?? title}</li>`
    const name = (caller && schema && (await labelOfOne(caller, schema, id))) ?? typeAndId({ type, id })
    return html`<li><a href="${resourceHref(server, { type, id })}">${name}</a>: ${detail ?? title}</li>`
  })
  const back = backTo(server, sent?.get(backMark) ?? null) ?? server.basePath
  return [
    html`<div role="alert"><ul class="errors">${await Promise.all(lines)}</ul></div>`,
    html`<p><a href="${back}">${words.backToAll}</a></p>`,
  ]
}
