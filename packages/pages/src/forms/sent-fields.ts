import { createHash } from 'node:crypto'
import { invalidField, payloadTooLarge } from '@prismapi/jsonapi/document/errors'
import { say } from '@prismapi/jsonapi/document/text'
import { type FormField, isNullable, kindOf } from './form-field.ts'

// The names of a form's fields say where their values belong in a document: `number?:/data/attributes/rating`. So a
// form works without a script.

/**
 * The name of a field's control: the kind of its value, `?` if it can be null or `!` if it is required, its pointer.
 */
export function controlName(field: FormField): string {
  const [type, ...others] = field.linkage?.types ?? []
  const target = type !== undefined && others.length === 0 ? ` ${type}` : ''
  return `${kindOf(field)}${isNullable(field) ? '?' : ''}${field.isRequired ? '!' : ''}${target}:${field.pointer}`
}

/** The name of the control that chooses the type of what a polymorphic field leads to. */
export const typeName = ({ pointer }: FormField): string => `type:${pointer}`

interface Control {
  readonly kind: string
  readonly isNullable: boolean
  readonly isRequired: boolean
  /** Of the resources that it names; null where another control has it. */
  readonly type: string | null
  readonly pointer: string
}

const named = /^(string|number|boolean|datetime|json|one|many)(\??)(!?)(?: ([^:]+))?:(\/.+)$/

/** What a form is about: a resource, what a relationship holds, or what an action takes. */
const pointers = {
  resource: /^\/data\/(?:id|attributes\/[^/]+|relationships\/[^/]+\/data)$/,
  linkage: /^\/data$/,
  action: /^\/meta\/[^/]+$/,
} as const

function controlOf(name: string): Control | null {
  const [, kind, nullable, required, type = null, pointer] = named.exec(name) ?? []
  if (kind === undefined || pointer === undefined) return null
  return { kind, isNullable: nullable === '?', isRequired: required === '!', type, pointer }
}

/** Does a control of a field send it that can be null? */
export const isOfNullable = (name: string): boolean => controlOf(name)?.isNullable ?? false

interface Sent {
  readonly about?: keyof typeof pointers
  /** What is empty is emptied. */
  readonly isUpdate?: boolean
  /** How many bytes of identifiers a document may have. In the form each has two, however long its type is. */
  readonly most?: number
}

/**
 * What a form says is put into the document that a client would send.
 *
 * @throws {JsonApiError} 413 where it names more than a document may, 422 for what is no JSON
 */
export function putFields(
  form: URLSearchParams,
  document: object,
  { about = 'resource', isUpdate = false, most = Number.POSITIVE_INFINITY }: Sent = {},
): object {
  let bytes = 0
  for (const [name, text] of form) {
    const control = controlOf(name)
    if (!control || !pointers[about].test(control.pointer)) continue
    if (control.kind === 'json' && text !== '' && jsonOf(text) === undefined)
      throw invalidField({ detail: say`This is not JSON.`, pointer: control.pointer })
    const value = sentValue(control, text, { form, isUpdate })
    if (control.kind === 'many' && Array.isArray(value)) bytes += value.length * JSON.stringify(value[0] ?? '').length
    if (bytes > most) throw payloadTooLarge(most)
    if (value !== undefined) put(document, control.pointer, value)
  }
  return document
}

/** What was written into one control of a form. */
export interface Written {
  /** Of the control. */
  readonly control: string
  /** Of the field, or of what a relationship is of: `data`. */
  readonly name: string
  readonly kind: string
  readonly text: string
}

/** What its reader has written into a form: of one that updates, what was touched; else what is not empty. */
export function writtenIn(form: URLSearchParams): readonly Written[] {
  const isUpdate = [...form.keys()].some((name) => name.startsWith(untouchedMark))
  return (isUpdate ? [...touched(form)].reverse() : [...form]).flatMap(([name, text]) => {
    const control = controlOf(name)
    if (!control || (text === '' && !isUpdate)) return []
    const type = form.get(`type:${control.pointer}`)
    const field = /([^/]+?)(?:\/data)?$/.exec(control.pointer)?.[1] ?? ''
    return [{ control: name, name: field, kind: control.kind, text: type === null ? text : `${type} ${text}` }]
  })
}

const untouchedMark = '-was.'

/** Beside a control of a form that updates: what it sends if nobody touches it. */
export const untouchedName = (field: FormField): string => untouchedMark + controlName(field)

/** What tells a value from others. */
export function untouchedValue(field: FormField, text: string): string {
  const control = controlOf(controlName(field))
  const chosen = field.linkage?.chosen
  return control ? told(control, text, new URLSearchParams(chosen ? { [typeName(field)]: chosen } : {})) : ''
}

/** Of a form that updates, what its reader has touched: the rest stays as it is, whoever changes it meanwhile. */
export function touched(form: URLSearchParams): URLSearchParams {
  const changed = new URLSearchParams()
  // Of controls that have the same name, the first counts: each value is looked at once.
  const marks = new Map([...form].reverse())
  for (const [mark, was] of marks) {
    const name = mark.startsWith(untouchedMark) ? mark.slice(untouchedMark.length) : ''
    const control = controlOf(name)
    // A box without a tick sends nothing.
    const text = form.get(name) ?? (control?.kind === 'boolean' ? 'false' : null)
    if (!control || text === null || told(control, text, form) === was) continue
    changed.set(name, text)
    const chosen = control.type === null ? form.get(`type:${control.pointer}`) : null
    if (chosen !== null) changed.set(`type:${control.pointer}`, chosen)
  }
  return changed
}

function told(control: Control, text: string, form: URLSearchParams): string {
  const value = sentValue(control, text, { form, isUpdate: true })
  // Browsers leave out what is zero of an instant.
  const isInstant = control.kind === 'datetime' && typeof value === 'string' && !Number.isNaN(Date.parse(value))
  const same = isInstant ? new Date(value).toISOString() : value
  return createHash('sha256')
    .update(JSON.stringify(same) ?? '')
    .digest('base64url')
    .slice(0, 16)
}

interface Place {
  readonly form: URLSearchParams
  readonly isUpdate: boolean
}

/** As the pages' script has it; undefined for what is not sent. */
function sentValue(control: Control, sent: string, { form, isUpdate }: Place): unknown {
  const { kind, isNullable, isRequired, pointer } = control
  // Browsers end lines as e-mails do.
  const text = sent.replace(/\r\n?/g, '\n')
  const type = control.type ?? form.get(`type:${pointer}`)
  if (kind === 'many') {
    const ids = idsIn(text)
    return ids.length === 0 && pointer !== '/data' && !isUpdate ? undefined : ids.map((id) => ({ type, id }))
  }
  if (text === '') {
    if (pointer === '/data') return null
    // No text is no JSON.
    if (isUpdate) return isNullable || kind === 'json' ? null : ''
    return isRequired && kind === 'string' ? '' : undefined
  }
  if (kind === 'one') return { type, id: text.trim() }
  if (kind === 'number') return numberOf(text)
  if (kind === 'boolean') return text === 'true'
  if (kind === 'datetime') return `${text.length === 16 ? `${text}:00` : text}Z`
  const json = kind === 'json' ? jsonOf(text) : undefined
  return json === undefined ? text : json
}

/** What is no number of JSON stays text, which the rules refuse. */
const numberOf = (text: string): number | string =>
  text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text

/** What nests deeper cannot be written again. */
const deepest = 1000

/** Undefined for what is no JSON. */
function jsonOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return canBeWritten(value, deepest) ? value : undefined
  } catch {
    return undefined
  }
}

/** JSON has no number that is infinite, and would write it as null. */
function canBeWritten(value: unknown, levels: number): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((each) => canBeWritten(each, levels - 1))
}

function put(target: object, pointer: string, value: unknown): void {
  const names = pointer.slice(1).split('/')
  const last = names.pop() as string
  let at = target as Record<string, unknown>
  for (const name of names) {
    if (!Object.hasOwn(at, name)) define(at, name, {})
    at = at[name] as Record<string, unknown>
  }
  define(at, last, value)
}

/** A member of any name, `__proto__` too, which is refused like that of a client. */
const define = (target: object, name: string, value: unknown) =>
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true })

// The ids of one control, with commas between them. In an id, a backslash stands before a comma and a backslash.

export const idListOf = (ids: readonly string[]): string => ids.map((id) => id.replace(/[\\,]/g, '\\$&')).join(', ')

export const idsIn = (text: string): readonly string[] =>
  [...text.matchAll(/(?:\\[\\,]|[^,])+/g)].flatMap(([each]) => {
    const id = each.trim().replace(/\\([\\,])/g, '$1')
    return id === '' ? [] : [id]
  })
