import { named } from '@prismapi/jsonapi/document/text'
import { type Content, type Html, hidden, html } from '../html/html.ts'
import { values as valueWords } from '../texts/reading.ts'
import { capital, joined, numberTold, titleOf, type Words, wordsIn } from '../texts/words.ts'
import { forms as words } from '../texts/writing.ts'
import { createAnchor } from './create-link.ts'
import { type FormField, isNullable, kindOf } from './form-field.ts'
import { controlName, idListOf, typeName, untouchedName, untouchedValue } from './sent-fields.ts'

/** The field with its label, and the place where an error about it is shown. */
export function labelled(field: FormField, form: string): Html {
  const id = `${form}-${field.name}`
  const hint = hintOf(field)
  return html`<div class="field"><label for="${id}" title="${field.name}">${titleOf(field.name)}${field.isRequired && html` <abbr title="${words.required}">*</abbr>`}</label>${field.more?.map((link) => [' ', createAnchor(link)])}
${hint && html`<p class="hint" id="${id}-hint">${hint}</p>`}
${control(field, id, attributes(field, { id, hint }))}${field.untouched !== undefined && hidden(untouchedName(field), field.untouched)}${field.label && html` <output for="${id}">${field.label}</output>`}
<p class="error" id="${id}-error"${field.error === undefined && html` hidden`}>${field.error}</p></div>`
}

/** What the schema says of it, and what it may be; null for nothing. */
function hintOf(field: FormField): Words | null {
  const { description, linkage } = field
  const own = description ? [named(description)] : []
  const hints = linkage ? [...own, linkageHint(linkage)] : [...own, ...limitsOf(field)]
  return hints.length > 0 ? joined(hints, ' ') : null
}

function limitsOf({ description, schema }: FormField): readonly Words[] {
  const { maxLength, minLength, minimum, maximum, pattern, format } = schema
  const { limits } = words
  const bounds = [
    minLength !== undefined && Number(minLength) > 1 && limits.minLength(String(minLength)),
    maxLength !== undefined && limits.maxLength(numberTold(Number(maxLength))),
    minimum !== undefined && limits.minimum(String(minimum)),
    maximum !== undefined && limits.maximum(String(maximum)),
    // People read what the schema says of it.
    pattern !== undefined && !description && limits.pattern(String(pattern)),
    format === 'date-time' && words.utc,
  ].filter((bound) => bound !== false)
  const all = joined(bounds, ', ')
  return bounds.length > 0 ? [(language) => `${wordsIn(language, capital(all))}.`] : []
}

function linkageHint({ search, isMany }: NonNullable<FormField['linkage']>): Words {
  if (search) return isMany ? words.many : words.one
  return isMany ? words.manyIds : words.oneId
}

function attributes(field: FormField, { id, hint }: { readonly id: string; readonly hint: Words | null }): Html {
  const described = `${hint ? `${id}-hint ` : ''}${id}-error`
  return html`id="${id}" name="${controlName(field)}"${field.error !== undefined && html` aria-invalid="true"`} data-pointer="${field.pointer}" data-kind="${kindOf(field)}"${isNullable(field) && html` data-nullable`}${field.isSecret && html` data-secret`}${field.isBack && html` data-back`}${field.isTouched && html` data-touched`}${field.isRequired && html` required`} aria-describedby="${described}"`
}

function control(written: FormField, id: string, own: Html): Content {
  const { value: _, text: __, ...secret } = written
  // The page does not repeat what no reader is shown.
  const field: FormField = written.isSecret ? { ...secret, value: undefined } : written
  const { schema, linkage } = field
  const kind = kindOf(field)
  if (Array.isArray(schema.enum))
    return select(own, field, new Map(schema.enum.flatMap((each) => (each === null ? [] : [[`${each}`, `${each}`]]))))
  if (kind === 'boolean') return booleanControl(own, field)
  const text = textOf(field)
  if (linkage) return linkageControl(field, linkage, { id, own, text })
  if (kind === 'datetime')
    return html`<input ${own} type="datetime-local" step="${/[1-9]\d*Z$/.test(text.slice(19)) ? '0.001' : '1'}" value="${localText(text)}">`
  if (schema.format === 'date') return html`<input ${own} type="date" value="${text}">`
  if (field.isSecret) return html`<input ${own} type="password" autocomplete="new-password">`
  if (kind === 'number') return html`<input ${own} inputmode="decimal" value="${text}">`
  if (
    kind === 'string' &&
    (schema.maxLength !== undefined || schema.pattern || schema.format || text.length <= 80) &&
    !isLong(field) &&
    !/[\r\n]/.test(text)
  )
    return html`<input ${own} value="${text}" autocomplete="off">`
  // A parser of HTML drops one line break at the beginning.
  return html`<textarea ${own} rows="${kind === 'json' ? 3 : 6}">
${text}</textarea>`
}

/** A text is what it says, but where any JSON may stand. */
function textOf(field: FormField): string {
  const { value, text } = field
  if (text !== undefined) return text
  if (value === undefined || value === null) return ''
  if (field.linkage?.isMany) return idListOf([value].flat().map(String))
  return typeof value === 'string' && kindOf(field) !== 'json' ? value : JSON.stringify(value)
}

/** An instant as its control has it. */
const localText = (text: string): string => text.replace(/(?:\.0+)?Z$/, '')

const isLocal = (text: string): boolean => /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?$/.test(text)

/** The field of a form that sends only what its reader touches: without a script, what its control has tells it. */
export function updated(field: FormField): FormField {
  const { schema, value, isSecret } = field
  const isOther = isSecret || (Array.isArray(schema.enum) && !schema.enum.includes(value))
  const text = kindOf(field) === 'datetime' ? localText(textOf(field)) : textOf(field)
  // What a control cannot hold, it leaves out.
  const isLeftOut = isOther || (kindOf(field) === 'datetime' && !isLocal(text))
  return { ...field, untouched: untouchedValue(field, isLeftOut ? '' : text) }
}

const isLong = ({ name }: FormField): boolean => /content|body|text|description|bio|synopsis/i.test(name)

/** What is one or the other is ticked or not; what may be neither, or is not known yet, is chosen. */
const booleanControl = (own: Html, field: FormField): Html =>
  typeof field.value === 'boolean' && !isNullable(field)
    ? html`<input type="checkbox" ${own} value="true"${field.value && html` checked`}>`
    : select(
        own,
        field,
        new Map([
          ['true', valueWords.yes],
          ['false', valueWords.no],
        ]),
      )

function select(own: Html, field: FormField, options: ReadonlyMap<string, Words>): Html {
  const { value } = field
  const isOpen = isNullable(field) || !options.has(String(value))
  return html`<select ${own}>${isOpen && html`<option value="">${isNullable(field) && valueWords.none}</option>`}${[
    ...options,
  ].map(
    ([each, title]) => html`<option value="${each}"${String(value) === each && html` selected`}>${title}</option>`,
  )}</select>`
}

interface Linked {
  readonly id: string
  readonly own: Html
  readonly text: string
}

function linkageControl(
  field: FormField,
  { types, chosen, isMany, search }: NonNullable<FormField['linkage']>,
  { id, own, text }: Linked,
): Content {
  const [type, ...others] = types
  if (others.length === 0)
    return html`<input ${own} data-type="${type}"${search && html` data-search="${search}"`}${isMany && html` data-many`} value="${text}" autocomplete="off">`
  return html`<span class="pair"><select id="${id}-type" name="${typeName(field)}" aria-label="${words.type}">${types.map((each) => html`<option${each === chosen && html` selected`}>${each}</option>`)}</select>
<input ${own} data-type-from="${id}-type" value="${text}" autocomplete="off"></span>`
}
