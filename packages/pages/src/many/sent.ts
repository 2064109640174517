import type { AtomicOperation } from '@prismapi/core/actions/atomic/parse-operations'
import type { CompiledServer } from '@prismapi/core/server/compile'
import { badRequest, payloadTooLarge } from '@prismapi/jsonapi/document/errors'
import { say } from '@prismapi/jsonapi/document/text'
import type { ErrorObject } from '@prismapi/jsonapi/document/types'
import type { Limits } from '@prismapi/jsonapi/request/limits'
import { pageDataFrom, readLabels } from '../data/page-data.ts'
import {
  backMark,
  backTo,
  emptyMark,
  manyMark,
  type PageRequest,
  rowMark,
  rowVersion,
  typeMark,
} from '../data/page-request.ts'
import type { Showing } from '../data/showing.ts'
import { actionFields, fieldsOf } from '../forms/form-fields.ts'
import { sentOf } from '../forms/sent-again.ts'
import { controlName, isOfNullable, putFields } from '../forms/sent-fields.ts'
import { written } from '../forms/written.ts'
import { type Content, html } from '../html/html.ts'
import { named } from '../resource/relationships.ts'
import { many as words } from '../texts/writing.ts'
import { askOfMany, type Judged, judgedRows, type ManyForm } from './ask.ts'

/**
 * The document of the atomic request that a form about many rows stands for.
 *
 * @throws {JsonApiError} 400 for more rows than one request takes, 413 for a document that would be too long
 */
export function operationsOf(
  form: URLSearchParams,
  { operations: most, bodyBytes }: Pick<Limits, 'operations' | 'bodyBytes'>,
): object {
  const ids = form.getAll(rowMark)
  if (ids.length > most) throw badRequest(say`Choose at most ${most} rows.`)
  const type = form.get(typeMark) ?? ''
  const isDelete = form.get(manyMark) === 'delete'
  if (!isDelete) refuseEmpty(form)
  const changed: { readonly data: object } = { data: { type } }
  if (!isDelete) putFields(form, changed, { isUpdate: true, most: bodyBytes })
  // All rows get the same: it is written once for each.
  if (JSON.stringify(changed).length * ids.length > bodyBytes) throw payloadTooLarge(bodyBytes)
  const operations = ids.map((id) => {
    const version = form.get(rowVersion(id))
    const one = { type, id, ...(version !== null && { meta: { version } }) }
    return isDelete ? { op: 'remove', ref: one } : { op: 'update', data: { ...changed.data, ...one } }
  })
  return { 'atomic:operations': operations }
}

/**
 * The actions that such a form stands for, which no document has; null for another form.
 *
 * @throws {JsonApiError} 400 for more rows than one request takes, and for an action that the type does not have
 */
export function actionsOf(
  form: URLSearchParams,
  { schemas, limits: { operations: most, bodyBytes } }: Pick<CompiledServer, 'schemas' | 'limits'>,
): readonly AtomicOperation[] | null {
  const [what, name = ''] = (form.get(manyMark) ?? '').split(' ')
  if (what !== 'action') return null
  const type = form.get(typeMark) ?? ''
  const schema = schemas.byType.get(type)
  const action = schema?.actions.get(name)
  if (!schema || !action || action.on !== 'member' || action.method === 'GET')
    throw badRequest(say`No page has this form.`)
  const ids = form.getAll(rowMark)
  if (ids.length > most) throw badRequest(say`Choose at most ${most} rows.`)
  const takes = actionFields(schema, action).length > 0
  const body = takes ? putFields(form, { meta: {} }, { about: 'action', most: bodyBytes }) : undefined
  return ids.map((id, i) => {
    const version = form.get(rowVersion(id))
    const pointer = `/atomic:operations/${i}`
    return {
      ...{ pointer, op: 'update', data: undefined, lid: null, upsertBy: null, action: { action, body } },
      target: { type, id, lid: null, relationship: null },
      version: version === null ? null : { text: version, pointer: '' },
    }
  })
}

/** Nothing is emptied by what was not written: who means that says so, by a box of its own. */
function refuseEmpty(form: URLSearchParams): void {
  const isEmptied = form.has(emptyMark)
  for (const [name, value] of form) {
    if (!isOfNullable(name)) continue
    if (isEmptied) form.set(name, '')
    else if (value === '') throw badRequest(words.noValue)
  }
}

/** Was a form about many rows refused? */
export const isRefused = ({ sent, status }: Pick<PageRequest, 'sent' | 'status'>): boolean =>
  sent?.has(manyMark) === true && status >= 400

/** The faults, by row, and the form with what was chosen. An error's pointer begins with its operation's index. */
export async function refused(browsed: PageRequest, showing: Showing): Promise<Content> {
  const { sent, document, caller, server } = browsed
  const type = sent?.get(typeMark) ?? ''
  const ids = sent?.getAll(rowMark) ?? []
  const labels = caller
    ? await readLabels(
        caller,
        ids.map((id) => ({ type, id })),
      )
    : []
  const own: Showing = { ...showing, beside: pageDataFrom(labels) }
  const lines = (document.errors ?? []).map((error): Content => {
    const id = rowOf(error, ids)
    const { title, detail } = error
    return html`<li>${id !== undefined && [named(own, { type, id }), ': ']}${detail ?? title}</li>`
  })
  const back = backTo(server, sent?.get(backMark) ?? null) ?? server.basePath
  const form = formAgain(browsed)
  return [
    html`<div role="alert"><ul class="errors">${lines}</ul></div>`,
    form
      ? await askOfMany(browsed, own, { form, judged: (await judgedRows(browsed, form)).map(asSent(browsed)), back })
      : [html`<p><a href="${back}">${words.backToAll}</a></p>`, written(browsed)],
  ]
}

/** The row that an error is about; undefined where it is about none. */
function rowOf({ source }: ErrorObject, ids: readonly string[]): string | undefined {
  const [, place] = /^\/atomic:operations\/(\d+)/.exec((source && 'pointer' in source && source.pointer) || '') ?? []
  return place === undefined ? undefined : ids[Number(place)]
}

/** A row keeps the version that it was sent for, unless the page says that it has changed since then. */
function asSent({ sent, document }: PageRequest): (row: Judged) => Judged {
  const stale = document.errors?.filter(({ status }) => status === '412') ?? []
  const told = new Set(stale.map((error) => rowOf(error, sent?.getAll(rowMark) ?? [])))
  return (row) => {
    const { id } = row.resource
    return told.has(id) ? row : { ...row, version: sent?.get(rowVersion(id)) ?? row.version }
  }
}

/** What was asked for, with the value that was refused; null where no form asks for it. */
function formAgain({ sent, caller, document, server }: PageRequest): ManyForm | null {
  const schema = caller?.api.schemas.byType.get(sent?.get(typeMark) ?? '')
  if (!caller || !schema || !sent) return null
  const [what, name = ''] = (sent.get(manyMark) ?? '').split(' ')
  const isDelete = what === 'delete'
  const rows = sent.getAll(rowMark).map((id) => ({ type: schema.type, id }))
  const common = { rows: rows.slice(0, server.limits.operations), left: 0 }
  const action = (what === 'action' && schema.actions.get(name)) || null
  if (action)
    return { ...common, many: { schema, rows, fields: [], mayDelete: false, actions: [action] }, field: null, action }
  // Who may not change them is not told of the fields either, of which the rules say something.
  if (!caller.api.audience.has(`${schema.type}.${isDelete ? 'delete' : 'update'}`)) return null
  const fields = isDelete ? [] : fieldsOf(caller.api, { schema, kind: 'update' }, null)
  const field = fields.find((each) => sent.has(controlName(each)))
  if (!isDelete && !field) return null
  const error = document.errors?.find(
    ({ source }) => field && source && 'pointer' in source && source.pointer.endsWith(field.pointer),
  )
  const again = field && {
    ...{ ...field, ...sentOf(field, sent) },
    ...(error && { error: error.detail ?? error.title }),
  }
  const many = { schema, rows, fields: again ? [again] : [], mayDelete: isDelete, actions: [] }
  return { ...common, many, field: again ?? null, action: null }
}
