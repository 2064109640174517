import type { ErrorObject } from '@prismapi/jsonapi/document/types'
import { type FormField, kindOf } from './form-field.ts'
import { controlName, touched, typeName } from './sent-fields.ts'

/** Fills a form with what was sent, and with what was wrong with it. */
export function sentAgain(sent: URLSearchParams, errors: readonly ErrorObject[]): (field: FormField) => FormField {
  const changed = touched(sent)
  return (field) => {
    const error = errors.find((each) => isAbout(field, each))
    const linkage = field.linkage && { ...field.linkage, chosen: sent.get(typeName(field)) }
    return {
      ...{ ...field, ...(field.untouched === undefined ? sentOf(field, sent) : touchedAgain(field, changed)) },
      ...(linkage && { linkage }),
      ...(error && { error: error.detail ?? error.title }),
    }
  }
}

/** What its control had. */
export function sentOf(field: FormField, sent: URLSearchParams): Pick<FormField, 'value' | 'text'> {
  const text = sent.get(controlName(field))
  return text === null ? { value: undefined } : { value: text, text }
}

/** Of what an update leaves as it is, the page shows what is stored. */
function touchedAgain(field: FormField, changed: URLSearchParams): Partial<FormField> {
  const text = changed.get(controlName(field))
  if (text === null) return {}
  const isTruth = kindOf(field) === 'boolean' && text !== ''
  return { value: isTruth ? text === 'true' : text, text, isTouched: true }
}

function isAbout({ name, pointer }: FormField, { source, meta }: ErrorObject): boolean {
  if (!source || !('pointer' in source)) return false
  // What is missing has no pointer of its own, and a name in its place.
  if (typeof meta?.field === 'string') return meta.field.split('.', 1)[0] === name
  return `${source.pointer}/`.startsWith(`${pointer}/`) || `${source.pointer}/data` === pointer
}
