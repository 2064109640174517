import type { SourcePlace } from '@prismapi/core/auth/rule-places'
import type { PageRequest } from '../data/page-request.ts'
import { typeToCreate } from '../forms/creation.ts'
import { type FormField, kindOf } from '../forms/form-field.ts'
import { createdFields } from '../forms/write-forms.ts'
import type { RecordForms } from '../page-forms.ts'
import { whyAllowed } from '../resource/reasons.ts'

/** The request that the form of a page makes. */
export interface ShownWrite {
  readonly method: 'POST' | 'PATCH'
  readonly document: object
  /** What allows it. */
  readonly places: readonly SourcePlace[]
}

/** The write of the form that the page shows; null for a page without one. */
export async function writeOf(browsed: PageRequest, forms: RecordForms | null): Promise<ShownWrite | null> {
  const { caller } = browsed
  const type = typeToCreate(browsed)
  const schema = type && caller?.api.schemas.byType.get(type.type)
  if (caller && schema) {
    const fields = await createdFields(caller, schema)
    const required = fields.filter(({ isRequired }) => isRequired)
    const document = sample({ data: { type: schema.type } }, required)
    return { method: 'POST', document, places: await whyAllowed(caller.ctx, { kind: 'create', schema }, null) }
  }
  if (!forms?.edit) return null
  const { writer, schema: own, resource } = forms
  const { id, row } = resource
  const first = forms.edit.fields.filter(({ linkage }) => !linkage).slice(0, 1)
  const document = sample({ data: { type: own.type, id } }, first)
  return { method: 'PATCH', document, places: await whyAllowed(writer.ctx, { kind: 'update', schema: own, id }, row) }
}

/** A document with values of the right kinds. */
function sample(document: object, fields: readonly FormField[]): object {
  for (const field of fields) {
    const names = field.pointer.slice(1).split('/')
    const last = names.pop() as string
    let at = document as Record<string, unknown>
    for (const name of names) {
      at[name] ??= {}
      at = at[name] as Record<string, unknown>
    }
    at[last] = sampleOf(field)
  }
  return document
}

function sampleOf(field: FormField): unknown {
  const { schema, linkage, value, isSecret } = field
  const [type = ''] = linkage?.types ?? []
  if (linkage) return linkage.isMany ? [{ type, id: '1' }] : { type, id: '1' }
  if (value !== undefined && value !== null && !isSecret) return value
  if (Array.isArray(schema.enum)) return schema.enum[0]
  return samples[kindOf(field)]
}

const samples: Readonly<Record<ReturnType<typeof kindOf>, unknown>> = {
  ...{ string: 'Text', number: 1, boolean: true, datetime: '2026-01-31T12:00:00Z', json: {} },
  ...{ one: null, many: [] },
}
