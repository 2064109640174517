import { writableFields } from '@prismapi/core/auth/writable-fields'
import type { ServerContext } from '@prismapi/core/server/serving'
import type { Identifier } from '@prismapi/jsonapi/document/types'
import type { Row } from '@prismapi/jsonapi/model/where'
import type { RelationOperation, ResourceOperation } from '@prismapi/jsonapi/request/operation'
import { isToMany } from '@prismapi/jsonapi/schema/relation-kinds'
import { isWritable, type ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { backMark, newMark, sentMethod, sentSeal, sentVersion, type VisibleApi } from '../data/page-request.ts'
import { type Content, type Html, hidden, html, withCode } from '../html/html.ts'
import { isOffered } from '../many/offered.ts'
import { titleOf, type Words } from '../texts/words.ts'
import { forms as words } from '../texts/writing.ts'
import { deleteLink } from './deletion.ts'
import type { FormField } from './form-field.ts'
import { actionFields, fieldsOf, relationField } from './form-fields.ts'
import { labelled, updated } from './inputs.ts'
import { controlName } from './sent-fields.ts'

/** Who would write, and what they are told. */
interface Writer {
  readonly ctx: ServerContext
  readonly api: VisibleApi
  /** What says that a page of this session has sent a form; null for who is not signed in by it. */
  readonly seal: string | null
}

/** A form, with what it sends. */
export interface WriteForm {
  readonly id: string
  readonly title: Words
  /** What it does, for people. */
  readonly about?: string | null
  /** What its button says, where that is not the title. */
  readonly button?: Words
  readonly method: 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  readonly path: string
  /** What is sent beside the fields; null for no document. */
  readonly document: object | null
  readonly fields: readonly FormField[]
  /** Where to go once it is done; left out, to what was created, or to the same page. */
  readonly next?: string
  /** Where it is sent without a script; left out, to its path. */
  readonly action?: string
  /** What is sent without a script beside the fields. */
  readonly more?: Content
  readonly isOpen?: boolean
  /** What has changed since its reader began, below it. */
  readonly compared?: Content
  /** Is what was created named to the page that comes next. */
  readonly tellsMade?: boolean
  /** The way back, beside the button. */
  readonly away?: Content
  /** The version that the page shows: of what has been changed since, nothing is overwritten. */
  readonly version?: string | null
}

/** A form that is opened where its reader wants it. */
const folded = (form: WriteForm, seal: string | null): Html =>
  html`<details class="write" id="${form.id}"${form.isOpen && html` open`}><summary>${form.title}</summary>
${form.about && html`<p>${withCode(form.about)}</p>`}${formHtml(form, seal)}${form.compared}</details>`

/** A form that the pages' script sends as JSON:API; without it, the server makes that of what it sends. */
function formHtml(sent: WriteForm, seal: string | null): Html {
  const {
    id,
    title,
    button = title,
    method,
    path,
    document,
    fields,
    next,
    version,
    action,
    more,
    tellsMade,
    away,
  } = sent
  return html`<form action="${action ?? path}" method="post" novalidate data-to="${path}" data-send="${method}"${document && html` data-document="${JSON.stringify(document)}"`}${next !== undefined && html` data-next="${next}"`}${tellsMade && html` data-made`}${version && html` data-if-match="${version}"`}>
<p class="error" role="alert" hidden></p>${!action && hidden(sentMethod, method)}${seal && hidden(sentSeal, seal)}${version && hidden(sentVersion, version)}${more}
${grouped(fields, id)}
<p class="asks"><button>${button}</button> ${away}<span class="unsaved" role="status" hidden>${words.unsaved}</span></p></form>`
}

/** What the resource says of itself, and then what it is related to. */
function grouped(fields: readonly FormField[], id: string): Content {
  const [own, related] = [fields.filter(({ linkage }) => !linkage), fields.filter(({ linkage }) => linkage)]
  const all = (some: readonly FormField[]) => some.map((field) => labelled(field, id))
  if (own.length === 0 || related.length === 0) return all(fields)
  return [all(own), html`<fieldset><legend>${words.related}</legend>${all(related)}</fieldset>`]
}

/** What the script shows of a resource that another client has changed since the reader opened its form. */
const conflict: Html = html`<template id="conflict"><div class="conflict" tabindex="-1" role="group" aria-label="${words.conflict.title}">
<p>${words.conflict.title}</p><div class="scroll"><table class="rows">
<thead><tr>${words.conflict.columns.map((title) => html`<th scope="col">${title}</th>`)}</tr></thead><tbody></tbody></table></div>
<p><button type="button">${words.conflict.keep}</button> <button type="button" class="other">${words.conflict.drop}</button></p></div></template>`

/** What the page of a form that creates has. */
interface Created {
  /** Where its reader goes on; null for to what was created. */
  readonly back: string | null
  readonly away: Content
  /** What the URL of the page names, as it stands there. */
  readonly given: string
  readonly fields: readonly FormField[]
}

/** The form that creates one of the type; null for who may not. */
export async function createForm(
  { ctx, api, seal }: Writer,
  schema: ResourceSchema,
  { back, away, given, fields }: Created,
): Promise<Content> {
  const operation = { kind: 'create', schema } as const
  if (!schema.operations.has('create') || !(await isOffered(ctx, operation, null))) return null
  const path = `${api.basePath}/${schema.type}`
  const own = new URLSearchParams({ [newMark]: given, ...(back !== null && { [backMark]: back }) })
  const id = 'create'
  const form = {
    id,
    path,
    fields,
    away,
    title: words.save,
    method: 'POST' as const,
    action: `${path}?${own}`,
    document: { data: { type: schema.type } },
    ...(back !== null && { next: back, tellsMade: true }),
  }
  return html`<div class="write" id="${id}">${formHtml(form, seal)}</div>`
}

/** What the caller can say of a new one of the type. */
export async function createdFields(
  { ctx, api }: Omit<Writer, 'seal'>,
  schema: ResourceSchema,
): Promise<readonly FormField[]> {
  const written = await writableFields(ctx, schema, null)
  return fieldsOf(api, { schema, kind: 'create' }, null).filter(
    ({ name }) => !written || name === 'id' || written.includes(name),
  )
}

interface Shown {
  readonly path: string
  readonly row: Row
  /** The fields of the row that the caller may not see; null for none. */
  readonly hidden: ReadonlySet<string> | null
  readonly etag: string | null
  /** The form that was refused with what was sent; every other one as it is. */
  again(forms: readonly WriteForm[]): WrittenForms
}

/** Forms that a page shows, and what was sent that none of them has a field for. */
export interface WrittenForms {
  readonly forms: readonly WriteForm[]
  readonly lost: Content
}

/** The same as the page has it. */
export interface ShownForms {
  readonly written: Content
  readonly lost: Content
}

/** A weak tag names no version. */
const versionOf = ({ etag }: Shown): string | null => (etag?.startsWith('"') ? etag : null)

/** What the caller may change of the row, with the values that it sees there. */
async function writtenFields(
  { ctx, api }: Writer,
  schema: ResourceSchema,
  { row, hidden }: Shown,
): Promise<readonly FormField[]> {
  const written = await writableFields(ctx, schema, row)
  return fieldsOf(api, { schema, kind: 'update' }, row)
    .filter(({ name }) => !written || written.includes(name))
    .map((field) => updated(hidden?.has(field.name) ? { ...field, value: undefined } : field))
}

/** What can be done with the resource that the page shows. */
export async function resourceForms(writer: Writer, operation: ResourceOperation, shown: Shown): Promise<ShownForms> {
  const { ctx, seal } = writer
  const { schema, id } = operation
  const { path, row } = shown
  const common = { path, version: versionOf(shown) }
  const may = (kind: 'update' | 'delete') => schema.operations.has(kind) && isOffered(ctx, { kind, schema, id }, row)
  const update = (await may('update')) && {
    ...{ ...common, id: 'update', title: words.update, button: words.save, method: 'PATCH' as const },
    document: { data: { type: schema.type, id } },
    fields: await writtenFields(writer, schema, shown),
  }
  const mayDelete = await may('delete')
  const actions: WriteForm[] = []
  for (const action of schema.actions.values()) {
    const { name, on, method, description: about } = action
    if (on !== 'member' || method === 'GET' || !(await isOffered(ctx, { kind: 'action', schema, action, id }, row)))
      continue
    const fields = actionFields(schema, action)
    const document = fields.length > 0 ? { meta: {} } : null
    const to = { path: `${path}/-actions/${name}`, next: path }
    actions.push({ ...common, ...to, id: `action-${name}`, title: titleOf(name), about, method, document, fields })
  }
  const { forms, lost } = shown.again([...(update ? [update] : []), ...actions])
  const folding = forms.map((form) => folded(form, seal))
  return { written: [folding, update && conflict, mayDelete && deleteLink(path)], lost }
}

interface ShownLinkage extends Shown {
  /** Does it lead anywhere? */
  readonly isSet: boolean
  /** The ids of all that it holds; null where the page may not show all of them. */
  readonly held: readonly string[] | null
  /** What the reader has created to be held by it. */
  readonly made: Identifier | null
}

const clear = { id: 'clear', title: words.clear, method: 'PATCH', document: { data: null }, fields: [] } as const
const replaceAll = { id: 'replace', title: words.replaceAll, method: 'PATCH' } as const

/** How the relationship that the page shows can be changed. */
export async function relationshipForms(
  { ctx, api, seal }: Writer,
  operation: RelationOperation,
  shown: ShownLinkage,
): Promise<ShownForms> {
  const { schema, relation } = operation
  if (!isWritable(schema, relation)) return { written: null, lost: shown.again([]).lost }
  const { path, row, isSet, held, made } = shown
  const may = (kind: RelationOperation['kind']) => isOffered(ctx, { ...operation, kind }, row)
  const alone = relationField(api, relation, '/data')
  const isChosen = made !== null && alone.linkage?.types.includes(made.type) === true
  const field = isChosen ? chosen(alone, made) : alone
  const common = { path, version: versionOf(shown), next: path, document: {}, fields: [field] }
  const mayReplace = await may('updateRelationship')
  const all: (WriteForm | false)[] = isToMany(relation)
    ? [
        (await may('attach')) && { ...common, id: 'attach', title: words.attach, method: 'POST', isOpen: isChosen },
        (await may('detach')) && { ...common, id: 'detach', title: words.detach, method: 'DELETE', fields: [alone] },
        mayReplace && held !== null && { ...common, ...replaceAll, fields: [{ ...field, value: held }] },
      ]
    : [
        mayReplace && { ...common, id: 'replace', title: words.set, method: 'PATCH', isOpen: isChosen },
        mayReplace && isSet && relation.isNullable && { ...common, ...clear, more: hidden(controlName(alone), '') },
      ]
  const { forms, lost } = shown.again(all.filter((form) => form !== false))
  return { written: forms.map((form) => folded(form, seal)), lost }
}

const chosen = (field: FormField, { type, id }: Identifier): FormField => ({
  ...field,
  value: id,
  ...(field.linkage && { linkage: { ...field.linkage, chosen: type } }),
})
