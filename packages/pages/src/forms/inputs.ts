import type { Language } from '@prismapi/jsonapi/document/text'
import { upperFirst } from '@prismapi/jsonapi/schema/naming'
import { type Content, type Html, hidden, html, withCode } from '../html/html.ts'
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
  const { labels } = field.linkage ?? {}
  const ids = [field.value ?? []].flat().map(String)
  const said = labels ? ids.map((each) => labels[each] ?? each).join(', ') : field.label
  return html`<div class="field${isWide(field) && ' wide'}"><label for="${id}" title="${field.name}">${titleOf(field.name)}${field.isRequired && html` <abbr title="${words.required}">*</abbr>`}</label>${field.more?.map((link) => [' ', createAnchor(link)])}
${control(field, id, attributes(field, { id, hint }))}${field.untouched !== undefined && hidden(untouchedName(field), field.untouched)}${said && html` <output for="${id}">${said}</output>`}
<p class="error" id="${id}-error"${field.error === undefined && html` hidden`}>${field.error}</p>${hint && html`<p class="hint" id="${id}-hint">${hint}</p>`}</div>`
}

/** Does it take the whole width of its form. */
const isWide = (field: FormField): boolean => kindOf(field) === 'json' || kindOf(field) === 'many' || isLong(field)

/** What the schema says of it, and what it may be; null for nothing. */
function hintOf(field: FormField): Content {
  const { description, linkage } = field
  const own = description ? [sentences(description)] : []
  const hints = linkage ? [...own, linkageHint(linkage)] : [...own, ...limitsOf(field)]
  return hints.length > 0 ? hints.map((hint, i) => [i > 0 && ' ', hint]) : null
}

/** A `///` comment as people read it: sentences, without annotations for programs. Code stands between backticks. */
const sentences =
  (documentation: string): Content =>
  (language) => {
    const text = language
      .textFor(documentation)
      .replace(/@[a-z][\w.]*(?:\([^)]*\))?(?:\s+\{[^}]*\}(?:\s+[[\]\w.]+)?(?:\s+-)?)?|^\s*\[\w+\]/gim, ' ')
      .replace(/\s+/g, ' ')
      .trim()
    return text === '' ? null : withCode(/[.!?:]$/.test(text) ? upperFirst(text) : `${upperFirst(text)}.`)
  }

function limitsOf({ description, schema }: FormField): readonly Content[] {
  const { maxLength, minLength, pattern, format } = schema
  const { limits } = words
  const [least, most] = [boundOf(schema.minimum), boundOf(schema.maximum)]
  const bounds: (Words | false)[] = [
    minLength !== undefined && Number(minLength) > 1 && limits.minLength(String(minLength)),
    maxLength !== undefined && limits.maxLength(numberTold(Number(maxLength))),
    least !== null && most !== null && limits.between(numberTold(least), numberTold(most)),
    least !== null && most === null && limits.minimum(numberTold(least)),
    least === null && most !== null && limits.maximum(numberTold(most)),
  ]
  const told = bounds.filter((bound) => bound !== false)
  const all = joined(told, ', ')
  return [
    told.length > 0 && ((language: Language) => `${wordsIn(language, capital(all))}.`),
    // People read what the schema says of it.
    !description && patternTold(pattern),
    format === 'date-time' && html`<span data-zone>${words.utc}</span>`,
  ].filter((each) => each !== false)
}

/** What a number has to keep to; null where that is but the size of its column. */
const boundOf = (bound: unknown): number | null =>
  typeof bound === 'number' && Math.abs(bound) < 2 ** 31 - 1 ? bound : null

/** What people know by a name; the pattern itself, where it has none. */
function patternTold(pattern: unknown): Content {
  if (typeof pattern !== 'string') return false
  if (/^\^-\?\\d\+/.test(pattern)) return words.limits.number
  if (/^\^\\d\{2\}:/.test(pattern)) return words.limits.time
  return html`${words.limits.pattern} <code>${pattern}</code>`
}

/** The pages' script shows what was chosen as chips. */
function linkageHint({ search, isMany }: NonNullable<FormField['linkage']>): Content {
  if (search) return [words.one, isMany && html`<noscript> ${words.commas}</noscript>`]
  return isMany ? words.manyIds : words.oneId
}

function attributes(field: FormField, { id, hint }: { readonly id: string; readonly hint: Content }): Html {
  const described = `${id}-error${hint ? ` ${id}-hint` : ''}`
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
  return html`<textarea ${own} rows="${rowsOf(text, kind === 'json' ? 3 : leastRows(schema))}"${kind === 'json' && html` class="json" spellcheck="false"`}>
${text}</textarea>`
}

const mostRows = 20

/** A sentence has less room than an article. */
const leastRows = ({ maxLength }: FormField['schema']): number => (Number(maxLength) <= 1000 ? 3 : 8)

/** As many as the text has, within bounds. */
const rowsOf = (text: string, least: number): number => Math.min(mostRows, Math.max(least, text.split('\n').length))

/** A text is what it says, but where any JSON may stand. */
function textOf(field: FormField): string {
  const { value, text } = field
  if (text !== undefined) return text
  if (value === undefined || value === null) return ''
  if (field.linkage?.isMany) return idListOf([value].flat().map(String))
  if (typeof value === 'string' && kindOf(field) !== 'json') return value
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : JSON.stringify(value)
}

/** An instant as its control has it. */
const localText = (text: string): string => text.replace(/(?:\.0+)?Z$/, '')

/** What its control has for its value. */
export const controlText = (field: FormField): string =>
  kindOf(field) === 'datetime' ? localText(textOf(field)) : textOf(field)

const isLocal = (text: string): boolean => /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?$/.test(text)

/** The field of a form that sends only what its reader touches: without a script, what its control has tells it. */
export function updated(field: FormField): FormField {
  const { schema, value, isSecret } = field
  const isOther = isSecret || (Array.isArray(schema.enum) && !schema.enum.includes(value))
  const text = controlText(field)
  // What a control cannot hold, it leaves out.
  const isLeftOut = isOther || (kindOf(field) === 'datetime' && !isLocal(text))
  return { ...field, untouched: untouchedValue(field, isLeftOut ? '' : text) }
}

const isLong = ({ name }: FormField): boolean => /content|body|text|description|bio|synopsis/i.test(name)

/** What is one or the other is ticked or not; what may be neither, or is new, is chosen. */
const booleanControl = (own: Html, field: FormField): Html =>
  typeof field.value === 'boolean' && !isNullable(field) && field.untouched !== undefined
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
  { types, chosen, isMany, search, labels }: NonNullable<FormField['linkage']>,
  { id, own, text }: Linked,
): Content {
  const [type, ...others] = types
  const names = labels ?? (field.label ? { [text]: field.label } : null)
  const said = names && html` data-labels="${JSON.stringify(names)}"`
  if (others.length === 0)
    return html`<input ${own} data-type="${type}"${said}${search && html` data-search="${search}"`}${field.held && html` data-held="${JSON.stringify(field.held)}"`}${isMany && html` data-many`} value="${text}" autocomplete="off">`
  return html`<span class="pair"><select id="${id}-type" name="${typeName(field)}" aria-label="${words.type}">${types.map((each) => html`<option${each === chosen && html` selected`}>${each}</option>`)}</select>
<input ${own}${said} data-type-from="${id}-type" value="${text}" autocomplete="off"></span>`
}
