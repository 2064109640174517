import { mayRead } from '@prismapi/core/actions/reading'
import { askingTogether } from '@prismapi/core/auth/asked-together'
import { writableFields } from '@prismapi/core/auth/writable-fields'
import { findEach } from '@prismapi/core/read/find'
import { toldVersion } from '@prismapi/core/write/write-row'
import type { ResourceObject } from '@prismapi/jsonapi/document/types'
import type { Row } from '@prismapi/jsonapi/model/where'
import { type Operation, operationsPath } from '@prismapi/jsonapi/request/operation'
import type { Action } from '@prismapi/jsonapi/schema/actions'
import {
  backMark,
  type Caller,
  emptyMark,
  manyMark,
  type PageRequest,
  rowMark,
  rowVersion,
  sentSeal,
  typeMark,
} from '../data/page-request.ts'
import type { Showing } from '../data/showing.ts'
import { consequences } from '../forms/deletion.ts'
import { type FormField, isNullable } from '../forms/form-field.ts'
import { actionFields } from '../forms/form-fields.ts'
import { labelled } from '../forms/inputs.ts'
import { type Content, type Html, hidden, html, withCode } from '../html/html.ts'
import { named } from '../resource/relationships.ts'
import { fieldWords, oneOf, titleOf, type Words } from '../texts/words.ts'
import { many as words } from '../texts/writing.ts'
import { isOffered, type Many } from './offered.ts'

/** A question about many rows: which they are, and what is done with all of them; neither field nor action deletes. */
export interface ManyForm {
  readonly many: Many
  readonly rows: readonly ResourceObject[]
  /** The field that is set. */
  readonly field: FormField | null
  readonly action: Action | null
  /** How many more were chosen than one request takes. */
  readonly left: number
}

/** Null without a question that is possible. Without a chosen row, all rows of the page, up to a request's limit. */
export function manyFormOf({ own, server }: Pick<PageRequest, 'own' | 'server'>, many: Many | null): ManyForm | null {
  // The menu of fields sends nothing, where a button was pressed.
  const [what, name] = (own.getAll(manyMark).find((each) => each !== '') ?? '').split(' ')
  const field = (what === 'change' && many?.fields.find((each) => each.name === name)) || null
  const action = (what === 'action' && many?.actions.find((each) => each.name === name)) || null
  if (!many || !((what === 'delete' && many.mayDelete) || field || action)) return null
  const ids = new Set(own.getAll(rowMark))
  const chosen = ids.size === 0 ? many.rows : many.rows.filter(({ id }) => ids.has(id))
  if (chosen.length === 0) return null
  const { operations: most } = server.limits
  return { many, rows: chosen.slice(0, most), field, action, left: Math.max(0, chosen.length - most) }
}

/** Of rows that were chosen, none may be left, such as after somebody else has deleted them. */
export const goneNote = ({ own }: Pick<PageRequest, 'own'>, { rows }: Many): Content => {
  const ids = own.getAll(rowMark)
  const isGone = ids.length > 0 && !rows.some(({ id }) => ids.includes(id))
  return isGone && html`<p role="status">${words.gone}</p>`
}

/** The title counts the rows that are to be changed, as far as can be told. */
export function titleOfMany({ many, field, action }: ManyForm, judged: readonly Judged[]): Words {
  const { length } = judged.filter((each) => each.isOffered)
  const { schema } = many
  const those = words.some(length, length === 1 ? oneOf(schema) : fieldWords(schema.type))
  if (action) return words.actionTitle(titleOf(action.name), those)
  return field ? words.changeTitle(titleOf(field.name), those) : words.removeTitle(those)
}

/** A row that was chosen, and whether it can be done. */
export interface Judged {
  readonly resource: ResourceObject
  readonly row: Row | null
  /** May the reader do it, as far as that can be told. */
  readonly isOffered: boolean
  readonly version: string | null
}

/** The rows as they are now, which are read at once. */
export async function judgedRows({ caller }: Pick<PageRequest, 'caller'>, form: ManyForm): Promise<readonly Judged[]> {
  if (!caller) return []
  const ids = form.rows.map(({ id }) => id)
  const rows = await findEach(caller.ctx, form.many.schema, ids)
  const asking = { ...caller, ctx: askingTogether(caller.ctx) }
  return Promise.all(form.rows.map((resource) => judge(asking, form, { resource, row: rows.get(resource.id) ?? null })))
}

/** The rows, each with the choice to leave it out; what goes along, or the value; and a form that needs no script. */
export async function askOfMany(
  browsed: PageRequest,
  showing: Showing,
  { form, judged, back }: { readonly form: ManyForm; readonly judged: readonly Judged[]; readonly back: string },
): Promise<Content> {
  const { caller, seal, server } = browsed
  const { many, field, action } = form
  if (!caller) return null
  const offered = judged.filter((each) => each.isOffered)
  const rows = offered.flatMap(({ row }) => (row ? [row] : []))
  const away = html`<a href="${back}">${words.back}</a>`
  return html`<form class="many-asked" method="post" action="${server.basePath}${operationsPath}">
${seal && hidden(sentSeal, seal)}${hidden(manyMark, action ? `action ${action.name}` : field ? 'change' : 'delete')}${hidden(typeMark, many.schema.type)}${hidden(backMark, back)}
${form.left > 0 && html`<p>${words.left(form.rows.length, form.left)}</p>`}<ul class="plain picks">${judged.map((each) => picked(showing, each))}</ul>
${await whatHappens(caller, form, rows)}
<p class="asks">${offered.length > 0 && html`<button class="${field || action ? 'main' : 'bad'}">${action ? titleOf(action.name) : field ? words.save : words.remove}</button> `}${away}</p></form>`
}

/** What goes along with a delete, what an action says of itself and takes, or the field. */
async function whatHappens(caller: Caller, { many, field, action }: ManyForm, rows: readonly Row[]): Promise<Content> {
  if (field) return [labelled(field, 'many'), emptyBox(field)]
  if (!action) return consequences(caller, many.schema, rows)
  const fields = actionFields(many.schema, action)
  return [
    action.description && html`<p>${withCode(action.description)}</p>`,
    fields.map((each) => labelled(each, 'many')),
  ]
}

/** An empty field changes nothing: who means that says so. */
const emptyBox = (field: FormField): Content =>
  isNullable(field) && html`<p><label><input type="checkbox" name="${emptyMark}" value="1"> ${words.empty}</label></p>`

async function judge(
  { ctx, api }: Caller,
  { many, field, action }: ManyForm,
  { resource, row }: Pick<Judged, 'resource' | 'row'>,
): Promise<Judged> {
  const { schema } = many
  const { id } = resource
  const operation: Operation = action
    ? { kind: 'action', schema, action, id }
    : { kind: field ? 'update' : 'delete', schema, id }
  const written = row && field ? await writableFields(ctx, api.schemas.byType.get(schema.type) ?? schema, row) : null
  const mayWrite = !field || !written || written.includes(field.name)
  return {
    resource,
    row,
    isOffered: row !== null && mayWrite && (await isOffered(ctx, operation, row)),
    version: row && schema.version && (await mayRead(ctx, { schema }, row)) ? toldVersion(ctx, schema, row) : null,
  }
}

function picked(showing: Showing, { resource, isOffered: may, version }: Judged): Html {
  const { id } = resource
  const label = html`${named(showing, resource)} <small>${id}</small>`
  if (!may) return html`<li>${label} <span class="mark no">${words.refused}</span></li>`
  return html`<li><input type="checkbox" id="row-${id}" name="${rowMark}" value="${id}" checked aria-labelledby="name-${id}"> <span id="name-${id}">${label}</span>${version !== null && hidden(rowVersion(id), version)}</li>`
}

const formId = 'many'

/** What is to be done with the rows that are chosen in the table below it: it is there once one is. */
export const toolbar = (
  { fields, mayDelete, actions }: Many,
  { path, search }: Pick<PageRequest, 'path' | 'search'>,
): Html =>
  html`<form class="many" id="${formId}" method="get" action="${path}" aria-label="${words.chosen}" data-now>${[...new URLSearchParams(search)].map(([name, value]) => hidden(name, value))}
<span class="soft">${words.chosen}</span>${actions.map(({ name }) => html`<button class="main" name="${manyMark}" value="action ${name}">${titleOf(name)}</button>`)}${
    fields.length > 0 &&
    html`<select name="${manyMark}" aria-label="${words.changeAll}"><option value="">${words.changeAll}</option>${fields.map(
      ({ name }) => html`<option value="change ${name}">${titleOf(name)}</option>`,
    )}</select> <button class="go">${words.next}</button>`
  }${mayDelete && html`<button class="bad" name="${manyMark}" value="delete">${words.remove}</button>`}</form>`

/** In front of a row, for the form above the table. */
export const pick = (id: string, name: Words): Content =>
  html`<input type="checkbox" form="${formId}" name="${rowMark}" value="${id}" aria-label="${name}"> `

/** In the head of the table; it takes the pages' script. */
export const pickAll: Html = html`<input type="checkbox" data-all="${rowMark}" aria-label="${words.all}"> `
