import { find } from '@prismapi/core/read/find'
import { isTrashed } from '@prismapi/core/write/write-row'
import type { Row } from '@prismapi/jsonapi/model/where'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { backMark, type Caller, didMark, sentMethod, sentSeal, sentVersion, withOwn } from '../data/page-request.ts'
import type { FormField } from '../forms/form-field.ts'
import { controlText } from '../forms/inputs.ts'
import { controlName, typeName, untouchedName } from '../forms/sent-fields.ts'
import { type Content, type Html, hidden, html } from '../html/html.ts'
import { isOffered } from '../many/offered.ts'
import type { Words } from '../texts/words.ts'
import { forms as words } from '../texts/writing.ts'

/** What a button writes, and where its reader is then. */
interface Reverting {
  readonly path: string
  readonly seal: string | null
  readonly version?: string | null
  readonly button: Words
  readonly back?: string
}

/** A button that writes fields of a resource, without a script as well. */
function writing(fields: readonly FormField[], { path, seal, version, button, back }: Reverting): Html {
  const own = new URLSearchParams({ ...(back !== undefined && { [backMark]: back }), [didMark]: 'restore' })
  return html`<form method="post" class="revert" action="${withOwn(path, own)}">${hidden(sentMethod, 'PATCH')}${seal && hidden(sentSeal, seal)}${version && hidden(sentVersion, version)}${fields.map(
    (field) => [
      hidden(controlName(field), controlText(field)),
      // What no value has: it counts as touched, whatever it is now.
      hidden(untouchedName(field), '-'),
      field.linkage?.chosen && field.linkage.types.length > 1 && hidden(typeName(field), field.linkage.chosen),
    ],
  )}<button>${button}</button></form>`
}

/**
 * A button that gives fields the values that they had; null unless its reader may write each of them. `fields` are
 * those of the form that edits the resource.
 */
export function revertForm(
  fields: readonly FormField[],
  values: Readonly<Record<string, unknown>>,
  reverting: Reverting,
): Content {
  const reverted = Object.entries(values).map(([name, value]) => {
    const field = fields.find((each) => each.name === name)
    if (!field) return null
    if (!field.linkage || field.linkage.isMany) return { ...field, value }
    const one = value as { readonly type: string; readonly id: string } | null
    return { ...field, value: one?.id, linkage: { ...field.linkage, chosen: one?.type ?? null } }
  })
  return reverted.length > 0 && reverted.every((field) => field !== null) ? writing(reverted, reverting) : null
}

/** The button that takes a row out of the bin; null where it is not there, or its reader may not. */
export async function restoreForm(
  { ctx, api }: Caller,
  { schema, row, id }: { readonly schema: ResourceSchema; readonly row: Row; readonly id: string },
  reverting: Omit<Reverting, 'path' | 'button'> & Partial<Pick<Reverting, 'button'>>,
): Promise<Content> {
  const name = [...schema.attributes.values()].find(({ column }) => column && column.name === schema.deletedAt)?.name
  if (name === undefined || !isTrashed(schema, row) || !schema.operations.has('update')) return null
  if (!(await isOffered(ctx, { kind: 'update', schema, id }, row))) return null
  const field = { name, pointer: `/data/attributes/${name}`, value: null, isRequired: false }
  const path = `${api.basePath}/${schema.type}/${encodeURIComponent(id)}`
  return writing([{ ...field, schema: { type: ['string', 'null'], format: 'date-time' } }], {
    ...{ button: words.restore, path },
    ...reverting,
  })
}

/** A row of the bin, as far as the caller sees it. */
export async function trashedRow({ ctx }: Caller, schema: ResourceSchema, id: string): Promise<Row | null> {
  if (schema.deletedAtAttribute === null) return null
  const row = await find(ctx, schema, id)
  return row && isTrashed(schema, row) ? row : null
}
