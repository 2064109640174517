import { writableFields } from '@prismapi/core/auth/writable-fields'
import type { ServerContext } from '@prismapi/core/server/serving'
import type { Identifier } from '@prismapi/jsonapi/document/types'
import type { Row } from '@prismapi/jsonapi/model/where'
import type { RelationOperation, ResourceOperation } from '@prismapi/jsonapi/request/operation'
import { isToMany } from '@prismapi/jsonapi/schema/relation-kinds'
import { isWritable, type ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { answerTo } from '../data/answer-to.ts'
import { pageDataFrom, readLabels } from '../data/page-data.ts'
import {
  backMark,
  didMark,
  newMark,
  sentMethod,
  sentSeal,
  sentVersion,
  type VisibleApi,
  withOwn,
} from '../data/page-request.ts'
import { labelIn } from '../data/showing.ts'
import { type Content, type Html, hidden, html, withCode } from '../html/html.ts'
import { isOffered } from '../many/offered.ts'
import { fieldWords, titleOf, type Words } from '../texts/words.ts'
import { forms as words } from '../texts/writing.ts'
import type { FormField } from './form-field.ts'
import { actionFields, editedRelations, fieldsOf, relationField } from './form-fields.ts'
import { labelled, updated } from './inputs.ts'
import { controlName } from './sent-fields.ts'

/** Who would write, and what they are told. */
export interface Writer {
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
  readonly about?: Content
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
export const folded = (form: WriteForm, seal: string | null): Html =>
  html`<details class="write" id="${form.id}"${form.isOpen && html` open`}><summary>${form.title}</summary>
${form.about && html`<p>${form.about}</p>`}${formHtml(form, seal)}${form.compared}</details>`

/** A form that the pages' script sends as JSON:API; without it, the server makes that of what it sends. */
export function formHtml(sent: WriteForm, seal: string | null): Html {
  const { id, title, button = title, method, path, document, fields } = sent
  const { next, version, action, more, tellsMade, away } = sent
  return html`<form action="${action ?? path}" method="post" novalidate data-to="${path}" data-send="${method}"${document && html` data-document="${JSON.stringify(document)}"`}${next !== undefined && html` data-next="${next}"`}${tellsMade && html` data-made`}${version && html` data-if-match="${version}"`}>
<p class="error" role="alert" hidden></p>${!action && hidden(sentMethod, method)}${seal && hidden(sentSeal, seal)}${version && hidden(sentVersion, version)}${more}
${grouped(fields, id)}
<p class="asks"><button>${button}</button> ${away}<span class="unsaved" role="status" hidden>${words.unsaved}</span></p></form>`
}

/** In a form that creates, all is folded that is neither required nor given; in others, what few people write. */
function grouped(fields: readonly FormField[], id: string): Content {
  const all = (some: readonly FormField[]) =>
    some.length > 0 && html`<div class="fields">${some.map((field) => labelled(field, id))}</div>`
  const folding = (title: Words, some: readonly FormField[]) =>
    some.length > 0 &&
    html`<details class="technical"${some.some(isInUse) && html` open`}><summary>${title}</summary>${all(some)}</details>`
  const isNew = fields.some(({ isRequired, untouched }) => isRequired && untouched === undefined)
  if (isNew) {
    const first = fields.filter(({ isRequired, linkage, value }) => isRequired || (linkage && value !== undefined))
    return [all(first), folding(words.more, without(fields, first))]
  }
  const technical = fields.filter(({ isTechnical, isRequired }) => isTechnical === true && !isRequired)
  const others = without(fields, technical)
  const related = others.filter(({ linkage }) => linkage)
  const own = without(others, related)
  return [
    all(own),
    own.length > 0 && related.length > 0
      ? html`<fieldset><legend>${words.related}</legend>${all(related)}</fieldset>`
      : all(related),
    folding(words.technical, technical),
  ]
}

const without = (all: readonly FormField[], some: readonly FormField[]): readonly FormField[] =>
  all.filter((each) => !some.includes(each))

/** Has its reader something to do with it. */
const isInUse = ({ error, text, isBack }: FormField): boolean => error !== undefined || !!text || isBack === true

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

/** The mark of the bin has a button of its own. */
const isOfBin = ({ deletedAt, attributes }: ResourceSchema, { name }: FormField): boolean =>
  deletedAt !== null && attributes.get(name)?.column?.name === deletedAt

/** What the caller can say of a new one of the type. */
export async function createdFields(
  { ctx, api }: Omit<Writer, 'seal'>,
  schema: ResourceSchema,
): Promise<readonly FormField[]> {
  const written = await writableFields(ctx, schema, null)
  return fieldsOf(api, { schema, kind: 'create' }, null).filter(
    (field) => !isOfBin(schema, field) && (!written || field.name === 'id' || written.includes(field.name)),
  )
}

export interface Shown {
  readonly path: string
  readonly row: Row
  /** The fields of the row that the caller may not see; null for none. */
  readonly hidden: ReadonlySet<string> | null
  readonly etag: string | null
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
  /** Can what a relationship holds be taken out, one by one. */
  readonly mayRemove: boolean
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
    .filter((field) => !isOfBin(schema, field) && (!written || written.includes(field.name)))
    .map((field) => updated(hidden?.has(field.name) ? { ...field, value: undefined } : field))
}

/** The whole of a resource in one form, with what it is related to. */
export async function editForm(writer: Writer, operation: ResourceOperation, shown: Shown): Promise<WriteForm> {
  const { schema, id } = operation
  const { path } = shown
  const fields = [
    ...(await writtenFields(writer, schema, shown)),
    ...(await writtenRelations(writer, operation, shown)),
  ]
  return {
    ...{ id: 'update', title: words.edit, button: words.save, method: 'PATCH' as const, path, fields },
    ...{ version: versionOf(shown), document: { data: { type: schema.type, id } } },
    next: withOwn(path, new URLSearchParams({ [didMark]: 'save' })),
    away: html`<a class="button" href="${path}">${words.cancel}</a>`,
  }
}

/** The page that edits: its form, and what somebody else has changed meanwhile. */
export const editHtml = (form: WriteForm, seal: string | null): Html =>
  html`<div class="write" id="${form.id}">${formHtml(form, seal)}${form.compared}</div>${conflict}`

/** Of a form, as many as people look through. */
const mostLinked = 100

/** The relations that the caller may change with the resource, with all that they hold. */
async function writtenRelations(
  { ctx, api }: Writer,
  { schema, id }: ResourceOperation,
  { row }: Shown,
): Promise<readonly FormField[]> {
  const own = ctx.server.schemas.byType.get(schema.type)
  const written = await writableFields(ctx, schema, row)
  const fields: FormField[] = []
  for (const field of editedRelations(api, schema)) {
    const relation = own?.relations.get(field.name)
    if (!own || !relation || !field.linkage || (written && !written.includes(field.name))) continue
    const operation = { kind: 'viewRelationship', schema: own, id, relation } as const
    const document = await answerTo(ctx, operation, new URLSearchParams())
    // Of what is not shown as a whole, nothing can be replaced.
    if (!document || document.links?.next || document.links?.prev) continue
    const held = [document.data ?? []].flat() as readonly Identifier[]
    if (held.length > mostLinked) continue
    const { attributesOf } = pageDataFrom(await readLabels({ ctx, api }, held))
    const labelOf = (one: Identifier) =>
      labelIn({ server: ctx.server, api, beside: { attributesOf, relationshipOf: () => null } }, one)
    const labels = Object.fromEntries(held.map((one) => [one.id, labelOf(one) ?? one.id]))
    const [first] = held
    const value = field.linkage.isMany ? held.map((one) => one.id) : first?.id
    fields.push(updated({ ...field, value, linkage: { ...field.linkage, labels, chosen: first?.type ?? null } }))
  }
  return fields
}

/** What else can be done with the resource: its actions. */
export async function actionForms(
  { ctx }: Writer,
  { schema, id }: ResourceOperation,
  shown: Shown,
): Promise<readonly WriteForm[]> {
  const { path, row } = shown
  const version = versionOf(shown)
  const actions: WriteForm[] = []
  for (const action of schema.actions.values()) {
    const { name, on, method, description } = action
    if (on !== 'member' || method === 'GET' || !(await isOffered(ctx, { kind: 'action', schema, action, id }, row)))
      continue
    const fields = actionFields(schema, action)
    const document = fields.length > 0 ? { meta: {} } : null
    const about = description && withCode(description)
    const next = withOwn(path, new URLSearchParams({ [didMark]: `action ${name}` }))
    const to = { path: `${path}/-actions/${name}`, next }
    actions.push({ version, ...to, id: `action-${name}`, title: titleOf(name), about, method, document, fields })
  }
  return actions
}

interface ShownLinkage extends Shown {
  /** The form that was refused with what was sent; every other one as it is. */
  again(forms: readonly WriteForm[]): WrittenForms
  /** Does it lead anywhere? */
  readonly isSet: boolean
  /** The ids of all that it holds; null where the page may not show all of them. */
  readonly held: readonly string[] | null
  /** What the reader has created to be held by it. */
  readonly made: Identifier | null
  /** The ways to a new one that it may hold. */
  readonly created: Content
}

const clear = { id: 'clear', title: words.clear, method: 'PATCH', document: { data: null }, fields: [] } as const
const add = { id: 'attach', button: words.attach, method: 'POST' } as const
const replaceAll = { id: 'replace', title: words.replaceAll, about: words.replaces, method: 'PATCH' } as const

/** How the relationship that the page shows can be changed. */
export async function relationshipForms(
  { ctx, api, seal }: Writer,
  operation: RelationOperation,
  shown: ShownLinkage,
): Promise<ShownForms> {
  const { schema, relation } = operation
  if (!isWritable(schema, relation)) return { written: null, lost: shown.again([]).lost, mayRemove: false }
  const { path, row, isSet, held, made, created } = shown
  const may = (kind: RelationOperation['kind']) => isOffered(ctx, { ...operation, kind }, row)
  const alone = relationField(api, relation, '/data')
  const isChosen = made !== null && alone.linkage?.types.includes(made.type) === true
  const field = isChosen ? chosen(alone, made) : alone
  const saying = (did: string) => withOwn(path, new URLSearchParams({ [didMark]: did }))
  const common = { path, version: versionOf(shown), next: saying('save'), document: {}, fields: [field] }
  const adding = { ...field, held: held ?? [] }
  const mayReplace = await may('updateRelationship')
  const all: (WriteForm | false)[] = isToMany(relation)
    ? [
        (await may('attach')) && {
          ...{ ...common, ...add, title: words.addMany(fieldWords(relation.name)), fields: [adding] },
          next: saying(`attach ${relation.name}`),
        },
        mayReplace && held !== null && { ...common, ...replaceAll, fields: [{ ...field, value: held }] },
      ]
    : [
        mayReplace && { ...common, id: 'replace', title: words.set, method: 'PATCH' },
        mayReplace && isSet && relation.isNullable && { ...common, ...clear, more: hidden(controlName(alone), '') },
      ]
  const { forms, lost } = shown.again(all.filter((form) => form !== false))
  // What rows of another type cannot lose is deleted, or stays.
  const isLoose = isToMany(relation) && (!('isDetachable' in relation) || relation.isDetachable)
  const mayRemove = isLoose && (await may('detach'))
  // What most people are here for stands open.
  const [first, ...others] = forms
  const opened = first && folded({ ...first, away: created, isOpen: true }, seal)
  return { written: [opened, others.map((form) => folded(form, seal))], lost, mayRemove }
}

const chosen = (field: FormField, { type, id }: Identifier): FormField => ({
  ...field,
  value: id,
  ...(field.linkage && { linkage: { ...field.linkage, chosen: type } }),
})
