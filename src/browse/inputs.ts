import type { Part } from '../openapi/described.ts'
import { type Content, type Html, html } from './html.ts'

/** A field of a form: where its value stands in the document that is sent, and what it may be. */
export interface FormField {
  readonly name: string
  /** The JSON pointer of the value. */
  readonly pointer: string
  /** The JSON Schema of the value. */
  readonly schema: Part
  readonly isRequired: boolean
  /** What it is now; undefined for nothing. */
  readonly value: unknown
  readonly description?: string
  /** It is accepted and never shown. */
  readonly isSecret?: boolean
  /** Set where the value names resources. */
  readonly linkage?: { readonly types: readonly string[]; readonly isMany: boolean }
}

type Kind = 'string' | 'number' | 'boolean' | 'datetime' | 'json' | 'one' | 'many'

/** The field with its label, and the place where an error about it is shown. */
export function labelled(field: FormField, form: string): Html {
  const id = `${form}-${field.name}`
  const hint = hintOf(field)
  return html`<div class="field"><label for="${id}">${field.name}${field.isRequired && html` <abbr title="required">*</abbr>`}</label>
${hint && html`<p class="hint" id="${id}-hint">${hint}</p>`}
${control(field, id, attributes(field, { id, hint }))}
<p class="error" id="${id}-error" hidden></p></div>`
}

function hintOf({ description, schema, linkage }: FormField): string {
  if (linkage) return linkage.isMany ? 'Ids, with commas between them.' : 'An id.'
  const { maxLength, minLength, minimum, maximum, pattern, format } = schema
  const bounds = [
    minLength !== undefined && Number(minLength) > 1 && `at least ${minLength} characters`,
    maxLength !== undefined && `at most ${maxLength} characters`,
    minimum !== undefined && `at least ${minimum}`,
    maximum !== undefined && `at most ${maximum}`,
    pattern !== undefined && `matches ${pattern}`,
    format === 'date-time' && 'UTC',
  ].filter((bound) => typeof bound === 'string')
  const limits = bounds.length > 0 ? [`${capital(bounds.join(', '))}.`] : []
  return [...(description ? [description] : []), ...limits].join(' ')
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const typesOf = ({ type }: Part): readonly unknown[] => (Array.isArray(type) ? type : [type])
const isNullable = ({ schema, linkage }: FormField): boolean =>
  linkage ? !linkage.isMany : typesOf(schema).includes('null')

function kindOf({ schema, linkage }: FormField): Kind {
  if (linkage) return linkage.isMany ? 'many' : 'one'
  const [type] = typesOf(schema)
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'boolean') return 'boolean'
  if (type === 'string') return schema.format === 'date-time' ? 'datetime' : 'string'
  return schema.enum ? 'string' : 'json'
}

function attributes(field: FormField, { id, hint }: { readonly id: string; readonly hint: string }): Html {
  const described = `${hint ? `${id}-hint ` : ''}${id}-error`
  return html`id="${id}" data-pointer="${field.pointer}" data-kind="${kindOf(field)}"${isNullable(field) && html` data-nullable`}${field.isRequired && html` required`} aria-describedby="${described}"`
}

function control(field: FormField, id: string, own: Html): Content {
  const { schema, linkage, value } = field
  const kind = kindOf(field)
  if (Array.isArray(schema.enum)) return select(own, schema.enum.filter((each) => each !== null).map(String), value)
  if (kind === 'boolean') return select(own, ['true', 'false'], value)
  const text = value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value)
  if (linkage) return linkageControl(linkage, { id, own, text })
  if (kind === 'number') return html`<input ${own} inputmode="decimal" value="${text}">`
  if (kind === 'datetime')
    return html`<input ${own} type="datetime-local" step="0.001" value="${text.replace(/Z$/, '')}">`
  if (field.isSecret) return html`<input ${own} type="password" autocomplete="new-password">`
  if (
    kind === 'string' &&
    (schema.maxLength !== undefined || schema.pattern || schema.format || text.length <= 80) &&
    !isLong(field)
  )
    return html`<input ${own} value="${text}" autocomplete="off">`
  // A parser of HTML drops one line break at the beginning.
  return html`<textarea ${own} rows="${kind === 'json' ? 3 : 6}">
${text}</textarea>`
}

const isLong = ({ name }: FormField): boolean => /content|body|text|description|bio|synopsis/i.test(name)

const select = (own: Html, values: readonly string[], value: unknown): Html =>
  html`<select ${own}><option value=""></option>${values.map(
    (each) => html`<option${String(value) === each && html` selected`}>${each}</option>`,
  )}</select>`

interface Linked {
  readonly id: string
  readonly own: Html
  readonly text: string
}

function linkageControl({ types }: NonNullable<FormField['linkage']>, { id, own, text }: Linked): Content {
  const [type, ...others] = types
  if (others.length === 0) return html`<input ${own} data-type="${type}" value="${text}" autocomplete="off">`
  return html`<span class="pair"><select id="${id}-type" aria-label="type">${types.map((each) => html`<option>${each}</option>`)}</select>
<input ${own} data-type-from="${id}-type" autocomplete="off"></span>`
}
