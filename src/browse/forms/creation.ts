import type { ErrorObject, Identifier } from '../../document/types.ts'
import { isToMany, type Relation } from '../../schema/relation-kinds.ts'
import { type ResourceSchema, targetSchemas } from '../../schema/resource-schema.ts'
import { isOffered } from '../data/offered.ts'
import { backMark, newMark, type PageRequest } from '../data/page-request.ts'
import { labelOfOne } from '../data/picker.ts'
import { backTo } from '../frame/back.ts'
import { type Content, html } from '../html/html.ts'
import { oneOf, type Words } from '../texts/words.ts'
import { creation as words } from '../texts/writing.ts'
import type { FormField } from './form-field.ts'
import { type Created, createdFields, createForm } from './write-forms.ts'

// A page that creates one of a type, with a relation filled in, and leads back to where its reader came from.

type Caller = NonNullable<PageRequest['caller']>

/** The type, where the page is one that creates. */
export function askedToCreate({ own, operation, status }: PageRequest): ResourceSchema | null {
  if (!own.has(newMark) || !operation) return null
  const isRefused = operation.kind === 'create' && status >= 400
  return (operation.kind === 'viewAny' && status < 300) || isRefused ? operation.schema : null
}

/** The form, with what was sent and why it was refused. */
export async function creation(browsed: PageRequest, type: ResourceSchema): Promise<Content> {
  const { caller, server, own, path } = browsed
  const schema = caller?.api.schemas.byType.get(type.type)
  const back = backTo(server, own.get(backMark))
  const created: Created = { back, given: own.get(newMark) ?? '', fill: await filled(browsed) }
  const form = caller && schema && (await createForm({ ...caller, seal: browsed.seal }, schema, created))
  const away = html`<a href="${back ?? path}">${words.back}</a>`
  return form ? [form, html`<p>${away}</p>`] : html`<p>${words.refused} ${away}</p>`
}

type Fill = Created['fill']

/** Puts what the URL names into its field, or else what was sent. */
async function filled({ caller, own, sent, document }: PageRequest): Promise<Fill> {
  const errors = document.errors ?? []
  if (sent)
    return (field, [name, typeName]) => {
      const error = errors.find(({ source }) => isAbout(field, source))
      const value = sent.get(name) ?? undefined
      const linkage = field.linkage && { ...field.linkage, chosen: sent.get(typeName) }
      return { ...field, value, ...(linkage && { linkage }), ...(error && { error: error.detail ?? error.title }) }
    }
  const [relation = '', type = '', ...rest] = (own.get(newMark) ?? '').split(':')
  const id = rest.join(':')
  const target = caller?.api.schemas.byType.get(type)
  const label = caller && target ? await labelOfOne(caller, target, id) : null
  return (field) =>
    field.name === relation && field.linkage?.types.includes(type)
      ? { ...field, value: id, label, linkage: { ...field.linkage, chosen: type } }
      : field
}

function isAbout({ pointer }: FormField, source: ErrorObject['source']): boolean {
  if (!source || !('pointer' in source)) return false
  const about = source.pointer
  return `${about}/`.startsWith(`${pointer}/`) || `${pointer}/`.startsWith(`${about}/`)
}

export interface CreateLink {
  readonly href: string
  readonly title: Words
}

/** For each to-many relation of a resource, the way to one more that it holds, where the caller may create such a one and say so. */
export async function createLinks(
  { caller, path, search }: PageRequest,
  schema: ResourceSchema,
  one: Identifier,
): Promise<ReadonlyMap<string, CreateLink>> {
  const links = new Map<string, CreateLink>()
  if (!caller) return links
  for (const relation of schema.relations.values()) {
    const [target, ...others] = targetSchemas(caller.api.schemas, relation)
    if (!target || others.length > 0 || !isToMany(relation) || !(await mayCreate(caller, target))) continue
    const written = new Set(createdFields(caller, target).map(({ name }) => name))
    const inverse = inverseOf(schema, relation, target)
    if (!inverse || !written.has(inverse.name)) continue
    links.set(relation.name, linkTo(caller, target, `${inverse.name}:${one.type}:${one.id}`, path + search))
  }
  return links
}

/** The ways to a new one of what a relationship may hold. */
export async function targetLinks(
  { caller, path, search }: PageRequest,
  relation: Relation,
): Promise<readonly CreateLink[]> {
  const links: CreateLink[] = []
  for (const target of caller ? targetSchemas(caller.api.schemas, relation) : [])
    if (caller && (await mayCreate(caller, target))) links.push(linkTo(caller, target, '', path + search))
  return links
}

export const createAnchor = ({ href, title }: CreateLink): Content => html`<a class="new" href="${href}">${title}</a>`

function linkTo({ api }: Caller, { type }: ResourceSchema, given: string, back: string): CreateLink {
  const query = new URLSearchParams({ [newMark]: given, [backMark]: back })
  return { href: `${api.basePath}/${type}?${query}`, title: words.title(oneOf(type)) }
}

const mayCreate = async ({ ctx, api }: Caller, schema: ResourceSchema): Promise<boolean> =>
  schema.operations.has('create') &&
  api.audience.has(`${schema.type}.viewAny`) &&
  (await isOffered(ctx, { kind: 'create', schema }, null))

/** The relation of the target that says the same from the other end. */
function inverseOf({ model }: ResourceSchema, relation: Relation, target: ResourceSchema): Relation | null {
  const inverse = 'field' in relation ? model.relations[relation.field]?.inverse : null
  const says = (each: Relation): boolean => {
    if ('field' in each) return each.field === inverse
    return each.form.kind === 'keys' && each.form.branches.some(({ field }) => field === inverse)
  }
  return [...target.relations.values()].find(says) ?? null
}
