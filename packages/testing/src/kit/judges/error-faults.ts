import { type Expected, isObject, type Json, type Judged, linksFaults, members } from './judged.ts'

export function* errorsFaults(errors: unknown, { status, sent }: Judged, expected: Expected): Generator<string> {
  if (!Array.isArray(errors) || errors.length === 0) return yield 'errors is no list with something in it'
  const known = ['id', 'links', 'status', 'code', 'title', 'detail', 'source', 'meta']
  for (const [i, error] of errors.entries()) {
    const at = `errors.${i}`
    if (!isObject(error)) {
      yield `${at} is no object`
      continue
    }
    yield* members(at, error, known)
    if (!known.some((name) => Object.hasOwn(error, name))) yield `${at} says nothing`
    for (const name of ['id', 'status', 'code', 'title', 'detail'])
      if (error[name] !== undefined && typeof error[name] !== 'string') yield `${at}.${name} is no string`
    if (errors.length === 1 && error.status !== String(status)) yield `${at}.status is ${error.status} in a ${status}`
    if (error.meta !== undefined && !isObject(error.meta)) yield `${at}.meta is no object`
    if (error.links !== undefined)
      yield* linksFaults(
        `${at}.links`,
        error.links,
        expected.version === '1.0' ? ['about'] : ['about', 'type'],
        expected,
      )
    if (error.source !== undefined) yield* sourceFaults(`${at}.source`, error.source, sent, expected)
  }
  if (errors.length > 1 && !isGeneral(status, errors)) yield `${status} is not what its errors have in common`
}

/** The status that they share; or else the general one of their kind, 5xx before 4xx. */
function isGeneral(status: number, errors: readonly Json[]): boolean {
  const own = new Set(errors.map((error) => error.status))
  if (own.size === 1) return own.has(String(status))
  return status === ([...own].some((each) => String(each).startsWith('5')) ? 500 : 400)
}

const jsonPointer = /^(?:\/(?:[^~/]|~[01])*)*$/

function* sourceFaults(at: string, source: unknown, sent: string | undefined, expected: Expected): Generator<string> {
  if (!isObject(source)) return yield `${at} is no object`
  yield* members(at, source, ['pointer', 'parameter', ...(expected.version === '1.0' ? [] : ['header'])])
  for (const [name, value] of Object.entries(source)) if (typeof value !== 'string') yield `${at}.${name} is no string`
  const { pointer } = source
  if (typeof pointer !== 'string') return
  if (!jsonPointer.test(pointer)) yield `${at}.pointer is no JSON Pointer: ${pointer}`
  else if (!pointsInto(sent, pointer)) yield `${at}.pointer leads to nothing that was sent: ${pointer}`
}

function pointsInto(sent: string | undefined, pointer: string): boolean {
  let value: unknown
  try {
    value = JSON.parse(sent ?? '')
  } catch {
    return false
  }
  for (const step of pointer.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return false
    value = (value as Json)[name]
  }
  return true
}
