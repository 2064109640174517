import { mayRead } from '@prismapi/core/actions/reading'
import { find } from '@prismapi/core/read/find'
import { markHiddenFields, type Resource, toResource } from '@prismapi/core/read/resource'
import { toldVersion } from '@prismapi/core/write/write-row'
import {
  type Operation,
  type RelationOperation,
  type ResourceOperation,
  versionEnd,
} from '@prismapi/jsonapi/request/operation'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { answerTo } from './data/answer-to.ts'
import { editMark, type PageRequest, sentMethod, sentVersion } from './data/page-request.ts'
import { createAnchor } from './forms/create-link.ts'
import { targetLinks } from './forms/creation.ts'
import type { FormField } from './forms/form-field.ts'
import { sentAgain } from './forms/sent-again.ts'
import { controlName } from './forms/sent-fields.ts'
import {
  actionForms,
  editForm,
  relationshipForms,
  type Shown,
  type ShownForms,
  type WriteForm,
  type Writer,
  type WrittenForms,
} from './forms/write-forms.ts'
import { written } from './forms/written.ts'
import { type Content, html } from './html/html.ts'
import { valueHtml } from './html/values.ts'
import { isOffered } from './many/offered.ts'
import { createdResource } from './resource/created.ts'
import { titleOf } from './texts/words.ts'
import { forms as words } from './texts/writing.ts'

/** The forms of a record, and the row that they are about. */
export interface RecordForms {
  readonly writer: Writer
  readonly schema: ResourceSchema
  readonly shown: Shown
  readonly resource: Resource
  readonly mayUpdate: boolean
  readonly mayDelete: boolean
  /** The page that edits, where that is asked for, and the form is offered. */
  readonly edit: WriteForm | null
  readonly actions: readonly WriteForm[]
  readonly lost: Content
}

/** Is the record edited: by its link, or again after its form was refused. */
export function isEditing({ own, operation, refusal, path, document }: PageRequest): boolean {
  if (operation?.kind !== 'view' || document.errors) return false
  return refusal ? refusal.path === path && refusal.sent.get(sentMethod) === 'PATCH' : own.has(editMark)
}

/** What can be done with the record that the page shows; null where it shows none, or its reader may know nothing. */
export async function recordForms(browsed: PageRequest): Promise<RecordForms | null> {
  const { caller, operation, path, etag, document, seal } = browsed
  const schema = operation && caller?.api.schemas.byType.get(operation.schema.type)
  if (!caller || !schema || operation.kind !== 'view' || document.errors) return null
  const row = await find(caller.ctx, operation.schema, operation.id)
  if (!row) return null
  const resource = toResource(operation.schema, row)
  await markHiddenFields(caller.ctx, [resource])
  const shown: Shown = { path, row, etag, hidden: resource.hidden ?? null }
  const writer = { ...caller, seal }
  const own = { ...operation, schema }
  const may = (kind: 'update' | 'delete') => schema.operations.has(kind) && isOffered(caller.ctx, { ...own, kind }, row)
  const mayUpdate = await may('update')
  const asked = isEditing(browsed) && mayUpdate ? [await editForm(writer, own, shown)] : []
  const { forms, lost } = formsAgain(browsed)([...asked, ...(await actionForms(writer, own, shown))])
  const edit = asked.length > 0 ? (forms[0] ?? null) : null
  const mayDelete = await may('delete')
  return { writer, schema, shown, resource, mayUpdate, mayDelete, edit, lost, actions: forms.slice(asked.length) }
}

const none: ShownForms = { written: null, lost: null, mayRemove: false }

/** How the relationship can be changed that the page shows. */
export async function pageForms(browsed: PageRequest): Promise<ShownForms> {
  const { caller, operation, path, document, etag } = browsed
  const schema = operation && caller?.api.schemas.byType.get(operation.schema.type)
  if (!caller || !schema || operation.kind !== 'viewRelationship') return none
  const row = await find(caller.ctx, operation.schema, operation.id)
  const relation = schema.relations.get(operation.relation.name)
  if (!row || !relation) return none
  const shown = { path, row, etag, hidden: null, again: formsAgain(browsed) }
  const writer = { ...caller, seal: browsed.seal }
  const created = (await targetLinks(browsed, relation)).map(createAnchor)
  const linked = { isSet: document.data !== null, held: linkedIds(browsed), made: createdResource(browsed) }
  return relationshipForms(writer, { ...operation, schema, relation }, { ...shown, ...linked, created })
}

// Filters and pages leave some out, and of what an application reads in the URL nothing is known.
const leavesAll = /^(?:include|sort|withCount|fields\[[^\]]*\])$/

/** The ids of all that a to-many relationship holds; null where the page may not show all of them. */
function linkedIds({ search, document: { data, links } }: Pick<PageRequest, 'search' | 'document'>) {
  const isWhole =
    !links?.next && !links?.prev && [...new URLSearchParams(search).keys()].every((key) => leavesAll.test(key))
  return isWhole && Array.isArray(data) ? data.map(({ id }): string => id) : null
}

type Refusal = NonNullable<PageRequest['refusal']>

/** The page that a refused form was on, in place of one with errors alone; null without one that its reader may see. */
export async function readAgain(browsed: PageRequest): Promise<PageRequest | null> {
  const { caller, operation, sent, document, path, status, server } = browsed
  const shown = operation && readOf(operation)
  if (!caller || !shown || !sent?.has(sentMethod) || !document.errors) return null
  // First the row of which the version is told: what is shown is no older.
  const row = await find(caller.ctx, shown.schema, shown.id)
  const read = row && (await answerTo(caller.ctx, shown, new URLSearchParams()))
  if (!row || !read) return null
  const version =
    server.etags && (await mayRead(caller.ctx, shown, row)) ? toldVersion(caller.ctx, shown.schema, row) : null
  return {
    ...{ ...browsed, operation: shown, document: read, search: '' },
    // As the page had it that the form was on: an id can be written in several ways.
    path: operation?.kind === 'action' ? path.slice(0, path.lastIndexOf('/-actions/')) : path,
    etag: version === null ? null : `"${version}${versionEnd}"`,
    refusal: { path, status, sent, errors: document.errors },
  }
}

function readOf(operation: Operation): ResourceOperation | RelationOperation | null {
  if (!('id' in operation) || operation.id === null) return null
  const { schema, id } = operation
  if ('relation' in operation) return { kind: 'viewRelationship', schema, id, relation: operation.relation }
  return operation.kind === 'update' || operation.kind === 'action' ? { kind: 'view', schema, id } : null
}

/**
 * Opens the form that was refused, with what was sent. Values without a field, such as one that its reader may not
 * change any more, are shown beside the fields.
 */
const formsAgain =
  (browsed: PageRequest) =>
  (forms: readonly WriteForm[]): WrittenForms => {
    const { refusal } = browsed
    if (!refusal) return { forms, lost: null }
    const isRefused = ({ path, method }: WriteForm) => path === refusal.path && method === refusal.sent.get(sentMethod)
    const controls = forms.filter(isRefused).flatMap(({ fields }) => fields.map(controlName))
    return {
      forms: forms.map((form) => (isRefused(form) ? formAgain(form, refusal) : form)),
      lost: written(browsed, new Set(controls)),
    }
  }

function formAgain(form: WriteForm, { sent, errors, status }: Refusal): WriteForm {
  const fields = form.fields.map(sentAgain(sent, errors))
  if (status === 412) return { ...form, fields, compared: comparison(form.fields, fields), isOpen: true }
  // Its sender has been told of no change since the version that it was sent for.
  return { ...form, fields, version: sent.get(sentVersion) ?? form.version ?? null, isOpen: true }
}

/** Of what was changed by somebody else meanwhile: what it is, and what the form would make of it. */
function comparison(stored: readonly FormField[], sent: readonly FormField[]): Content {
  const { title, columns } = words.conflict
  const [field, , now, yours] = columns
  const rows = sent.flatMap((each, i) => (each.isTouched && !each.isSecret ? [{ each, is: stored[i]?.value }] : []))
  return html`<div class="conflict" role="group" aria-label="${title}"><p>${title}</p>
<div class="scroll"><table class="rows"><thead><tr>${[field, now, yours].map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
<tbody>${rows.map(
    ({ each, is }) =>
      html`<tr><th scope="row">${titleOf(each.name)}</th><td data-label="${now}">${valueHtml(is)}</td><td data-label="${yours}" class="other">${valueHtml(each.value)}</td></tr>`,
  )}</tbody></table></div></div>`
}
