import type { Identifier } from '@prismapi/jsonapi/document/types'
import { isToMany, type Relation } from '@prismapi/jsonapi/schema/relation-kinds'
import { type ResourceSchema, targetSchemas } from '@prismapi/jsonapi/schema/resource-schema'
import { backMark, backTo, type Caller, forMark, newMark, type PageRequest } from '../data/page-request.ts'
import { labelOfOne } from '../data/picker.ts'
import { type Content, html } from '../html/html.ts'
import { isOffered } from '../many/offered.ts'
import { createdResource } from '../resource/created.ts'
import { creation as words } from '../texts/writing.ts'
import { type CreateLink, createLink } from './create-link.ts'
import type { FormField } from './form-field.ts'
import { sentAgain } from './sent-again.ts'
import { createdFields, createForm } from './write-forms.ts'
import { written } from './written.ts'

// A page that creates one of a type, with a relation filled in, and leads back to where its reader came from.

/** The type, where the page is one that creates. */
export function typeToCreate({ own, operation, status }: PageRequest): ResourceSchema | null {
  if (!own.has(newMark) || !operation) return null
  const isRefused = operation.kind === 'create' && status >= 400
  return (operation.kind === 'viewAny' && status < 300) || isRefused ? operation.schema : null
}

/** The form, with what was sent and why it was refused. */
export async function creation(browsed: PageRequest, type: ResourceSchema): Promise<Content> {
  const { caller, server, own, path } = browsed
  const schema = caller?.api.schemas.byType.get(type.type)
  const back = backTo(server, own.get(backMark))
  const away = html`<a href="${back ?? path}">${words.back}</a>`
  // Who may not create is not told of the fields either, of which the rules say something.
  const form =
    caller &&
    schema &&
    (await isOffered(caller.ctx, { kind: 'create', schema }, null)) &&
    (await createForm({ ...caller, seal: browsed.seal }, schema, {
      back,
      away,
      given: own.get(newMark) ?? '',
      fields: await filled(browsed, caller, await createdFields(caller, schema)),
    }))
  return form || [html`<p>${caller && words.refused} ${away}</p>`, written(browsed)]
}

type Fill = (field: FormField) => FormField

/** The fields with what they begin with, and the ways to what they could name. */
async function filled(
  browsed: PageRequest,
  caller: Caller,
  fields: readonly FormField[],
): Promise<readonly FormField[]> {
  const { sent, document } = browsed
  const fill = sent ? sentAgain(sent, document.errors ?? []) : await given(browsed, caller)
  return Promise.all(
    fields.map(async (field) => ({
      ...fill(field),
      isBack: browsed.own.get(forMark) === field.name,
      more: await moreOf(browsed, caller, field),
    })),
  )
}

/** What the URL names: a resource that the new one belongs to, and one that was missing and is there now. */
async function given({ own }: PageRequest, caller: Caller): Promise<Fill> {
  const [relation = '', type = '', ...rest] = (own.get(newMark) ?? '').split(':')
  const made = createdResource({ own })
  const fills = [
    await naming(caller, relation, { type, id: rest.join(':') }),
    made && (await naming(caller, own.get(forMark) ?? '', made)),
  ]
  return (field) => fills.reduce<FormField>((each, fill) => fill?.(each) ?? each, field)
}

async function naming({ ctx, api }: Caller, name: string, { type, id }: Identifier): Promise<Fill> {
  const target = api.schemas.byType.get(type)
  const label = target ? await labelOfOne({ ctx, api }, target, id) : null
  return (field) =>
    field.name === name && field.linkage?.types.includes(type)
      ? { ...field, value: id, label, linkage: { ...field.linkage, chosen: type } }
      : field
}

/** The ways to a new one of what the field could name; they lead back here. */
async function moreOf(
  { own, path, search }: PageRequest,
  caller: Caller,
  { name, linkage }: FormField,
): Promise<readonly CreateLink[]> {
  const here = new URLSearchParams(search)
  for (const mark of [newMark, backMark]) if (own.has(mark)) here.set(mark, own.get(mark) as string)
  here.set(forMark, name)
  const way = { given: '', back: `${path}?${here}` }
  const targets = (linkage?.types ?? []).flatMap((type) => caller.api.schemas.byType.get(type) ?? [])
  const links = await Promise.all(targets.map((target) => createLink(caller, target, way)))
  return links.filter((link) => link !== null)
}

/** The ways to create, by the relation that leads to what is created. */
export type Links = ReadonlyMap<string, CreateLink>
export const noLinks: Links = new Map()

/** The ways to more that the resource is related to. */
export async function createdFrom(browsed: PageRequest): Promise<Links> {
  const { caller, operation } = browsed
  const schema = operation && caller?.api.schemas.byType.get(operation.schema.type)
  if (!schema || (operation.kind !== 'view' && operation.kind !== 'viewRelated')) return noLinks
  return createLinks(browsed, schema, { type: schema.type, id: operation.id })
}

/**
 * For each to-many relation of a resource, the link to create one more in it, where the caller may create and link one.
 */
async function createLinks(
  { caller, path, search }: PageRequest,
  schema: ResourceSchema,
  one: Identifier,
): Promise<Links> {
  const links = new Map<string, CreateLink>()
  if (!caller) return links
  for (const relation of schema.relations.values()) {
    const [target, ...others] = targetSchemas(caller.api.schemas, relation)
    if (!target || others.length > 0 || !isToMany(relation)) continue
    const inverse = inverseOf(schema, relation, target)
    if (!inverse) continue
    const way = { given: `${inverse.name}:${one.type}:${one.id}`, back: path + search }
    const link = await createLink(caller, target, way)
    if (!link) continue
    const fields = await createdFields(caller, target)
    if (fields.some(({ name }) => name === inverse.name)) links.set(relation.name, link)
  }
  return links
}

/** The ways to a new one of what a relationship may hold. */
export async function targetLinks(
  { caller, path, search }: PageRequest,
  relation: Relation,
): Promise<readonly CreateLink[]> {
  const targets = caller ? targetSchemas(caller.api.schemas, relation) : []
  const links = targets.map((target) => caller && createLink(caller, target, { given: '', back: path + search }))
  return (await Promise.all(links)).filter((link) => link !== null)
}

/** The relation of the target that says the same from the other end. */
function inverseOf({ model }: ResourceSchema, relation: Relation, target: ResourceSchema): Relation | null {
  const inverse = 'field' in relation ? model.relations[relation.field]?.inverse : null
  const says = (each: Relation): boolean => {
    if ('field' in each) return each.field === inverse
    return each.form.kind === 'keys' && each.form.branches.some(({ field }) => field === inverse)
  }
  return [...target.relations.values()].find(says) ?? null
}
