import type { Row } from '../model/where.ts'
import type { RelationOperation, ResourceOperation } from '../request/operation.ts'
import { isToMany } from '../schema/relation-kinds.ts'
import { isWritable, type ResourceSchema } from '../schema/resource-schema.ts'
import type { ServerContext } from '../server/server-context.ts'
import { actionFields, fieldsOf, relationField } from './form-fields.ts'
import { type Content, type Html, html } from './html.ts'
import { type FormField, labelled } from './inputs.ts'
import { isOffered } from './offered.ts'
import type { Told } from './told.ts'

/** Who would write, and what they are told. */
interface Writer {
  readonly ctx: ServerContext
  readonly told: Told
}

interface Sent {
  readonly id: string
  readonly title: string
  readonly method: 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  readonly path: string
  /** What is sent beside the fields; null for no document. */
  readonly document: object | null
  readonly fields: readonly FormField[]
  /** Where to go once it is done; left out, to what was created, or to the same page. */
  readonly next?: string
  /** The version that the page shows: of what has been changed since, nothing is overwritten. */
  readonly version?: string | null
}

/** A form that the pages' script sends as JSON:API. */
const form = ({ id, title, method, path, document, fields, next, version }: Sent): Html =>
  html`<details class="write" id="${id}"><summary>${title}</summary>
<form action="${path}" method="post" novalidate data-send="${method}"${document && html` data-document="${JSON.stringify(document)}"`}${next !== undefined && html` data-next="${next}"`}${version && html` data-if-match="${version}"`}>
<p class="error" role="alert" hidden></p>
${fields.map((field) => labelled(field, id))}
<p><button disabled>${title}</button></p></form></details>`

/** The form that creates one of the type. */
export async function createForm({ ctx, told }: Writer, schema: ResourceSchema): Promise<Content> {
  const operation = { kind: 'create', schema } as const
  if (!schema.operations.has('create') || !(await isOffered(ctx, operation, null))) return null
  return form({
    id: 'create',
    title: `Create one of ${schema.type}`,
    method: 'POST',
    path: `${told.basePath}/${schema.type}`,
    document: { data: { type: schema.type } },
    fields: fieldsOf(told, operation, null),
  })
}

interface Shown {
  readonly path: string
  readonly row: Row
  readonly etag: string | null
}

/** A weak tag names no version. */
const versionOf = ({ etag }: Shown): string | null => (etag?.startsWith('"') ? etag : null)

/** What can be done with the resource that the page shows. */
export async function resourceForms(
  { ctx, told }: Writer,
  operation: ResourceOperation,
  shown: Shown,
): Promise<Content> {
  const { schema, id } = operation
  const { path, row } = shown
  const common = { path, version: versionOf(shown) }
  const may = (kind: 'update' | 'delete') => schema.operations.has(kind) && isOffered(ctx, { kind, schema, id }, row)
  const update = (await may('update')) && {
    ...{ ...common, id: 'update', title: 'Update', method: 'PATCH' as const },
    document: { data: { type: schema.type, id } },
    fields: fieldsOf(told, { schema, kind: 'update' }, row),
  }
  const remove = (await may('delete')) && {
    ...{ ...common, id: 'delete', title: 'Delete', method: 'DELETE' as const, document: null, fields: [] },
    next: `${told.basePath}/${schema.type}`,
  }
  const actions: Sent[] = []
  for (const action of schema.actions.values()) {
    const { name, on, method } = action
    if (on !== 'member' || method === 'GET' || !(await isOffered(ctx, { kind: 'action', schema, action, id }, row)))
      continue
    const fields = actionFields(schema, action)
    const document = fields.length > 0 ? { meta: {} } : null
    const to = { path: `${path}/-actions/${name}`, next: path }
    actions.push({ ...common, ...to, id: `action-${name}`, title: name, method, document, fields })
  }
  return [...(update ? [update] : []), ...actions, ...(remove ? [remove] : [])].map(form)
}

interface ShownLinkage extends Shown {
  /** Does it lead anywhere? */
  readonly isSet: boolean
  /** The ids of all that it holds; null where the page may not show all of them. */
  readonly held: readonly string[] | null
}

const replaceAll = { id: 'replace', title: 'Replace all', method: 'PATCH' } as const

/** How the relationship that the page shows can be changed. */
export async function relationshipForms(
  { ctx, told }: Writer,
  operation: RelationOperation,
  shown: ShownLinkage,
): Promise<Content> {
  const { schema, relation } = operation
  if (!isWritable(schema, relation)) return null
  const { path, row, isSet, held } = shown
  const may = (kind: RelationOperation['kind']) => isOffered(ctx, { ...operation, kind }, row)
  const field = relationField(told, relation, '/data')
  const common = { path, version: versionOf(shown), next: path, document: {}, fields: [field] }
  const mayReplace = await may('updateRelationship')
  if (!isToMany(relation)) {
    const isClearable = mayReplace && isSet && relation.isNullable
    return [
      mayReplace && form({ ...common, id: 'replace', title: 'Set', method: 'PATCH' }),
      isClearable &&
        form({ ...common, id: 'clear', title: 'Clear', method: 'PATCH', document: { data: null }, fields: [] }),
    ]
  }
  return [
    (await may('attach')) && form({ ...common, id: 'attach', title: 'Add', method: 'POST' }),
    (await may('detach')) && form({ ...common, id: 'detach', title: 'Remove', method: 'DELETE' }),
    mayReplace && held !== null && form({ ...common, ...replaceAll, fields: [{ ...field, value: held.join(', ') }] }),
  ]
}
