import { type FormField, isNullable, kindOf } from './form-field.ts'

// A form that is sent without a script says by the names of its fields what a document has in their place: `number?:/data/attributes/rating`.

/** The name of a field's control: what kind its value is of, whether it can be null (`?`) or has to be there (`!`), and its pointer. */
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

const named =
  /^(string|number|boolean|datetime|json|one|many)(\??)(!?)(?: ([^:]+))?:(\/data\/(?:id|attributes\/[^/]+|relationships\/[^/]+\/data))$/

function controlOf(name: string): Control | null {
  const [, kind, nullable, required, type = null, pointer] = named.exec(name) ?? []
  if (kind === undefined || pointer === undefined) return null
  return { kind, isNullable: nullable === '?', isRequired: required === '!', type, pointer }
}

/** What a form says is put into the document that a client would send. Of an update, what is empty is emptied. */
export function putFields(form: URLSearchParams, document: object, { isUpdate = false } = {}): void {
  for (const [name, sent] of form) {
    const control = controlOf(name)
    if (!control) continue
    // Browsers end lines as e-mails do.
    const value = sentValue(control, sent.replaceAll('\r\n', '\n'), { form, isUpdate })
    if (value !== undefined) put(document, control.pointer, value)
  }
}

interface Place {
  readonly form: URLSearchParams
  readonly isUpdate: boolean
}

/** As the pages' script has it; undefined for what is not sent. */
function sentValue(control: Control, text: string, { form, isUpdate }: Place): unknown {
  const { kind, isNullable, isRequired, pointer } = control
  const type = control.type ?? form.get(`type:${pointer}`)
  if (kind === 'many') {
    const ids = text.split(',').flatMap((id) => (id.trim() === '' ? [] : [id.trim()]))
    return ids.length === 0 ? undefined : ids.map((id) => ({ type, id }))
  }
  if (text === '') {
    if (isUpdate) return isNullable ? null : ''
    return isRequired && kind === 'string' ? '' : undefined
  }
  if (kind === 'one') return { type, id: text.trim() }
  if (kind === 'number') return Number.isNaN(Number(text)) ? text : Number(text)
  if (kind === 'boolean') return text === 'true'
  if (kind === 'datetime') return `${text.length === 16 ? `${text}:00` : text}Z`
  return kind === 'json' ? jsonOf(text) : text
}

/** What is no JSON stays text, which the rules refuse. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
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
