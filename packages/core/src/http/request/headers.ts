import type { Context } from 'koa'

/** One media type or media range of a header (RFC 9110 §8.3.1, §12.5.1). */
export interface MediaType {
  /** `type/subtype`, in lower case. */
  readonly name: string
  /** Names in lower case, values unquoted, in the order sent; `q` among them. */
  readonly parameters: readonly (readonly [name: string, value: string])[]
}

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const typeAndSubtype = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+\/[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const quotedString = /^"((?:[^"\\]|\\.)*)"$/

/**
 * One media type; null when it is malformed.
 *
 * @example
 * parseMediaType('Text/HTML; charset="utf-8"') // { name: 'text/html', parameters: [['charset', 'utf-8']] }
 */
export function parseMediaType(text: string): MediaType | null {
  const [head = '', ...rest] = splitUnquoted(text, ';')
  if (!typeAndSubtype.test(head)) return null
  const parameters = rest.filter((part) => part !== '').map(parseParameter)
  if (!parameters.every((parameter) => parameter !== null)) return null
  return { name: head.toLowerCase(), parameters }
}

/** The trimmed parts of a list; a separator inside a quoted string separates nothing. */
export function splitUnquoted(text: string, separator: ',' | ';'): string[] {
  const parts: string[] = []
  let isQuoted = false
  let start = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '"') isQuoted = !isQuoted
    else if (character === '\\' && isQuoted) at++
    else if (character === separator && !isQuoted) {
      parts.push(text.slice(start, at).trim())
      start = at + 1
    }
  }
  return [...parts, text.slice(start).trim()]
}

function parseParameter(text: string): readonly [string, string] | null {
  const equals = text.indexOf('=')
  const name = text.slice(0, equals)
  const value = equals < 0 ? null : parseValue(text.slice(equals + 1))
  return value !== null && token.test(name) ? [name.toLowerCase(), value] : null
}

function parseValue(text: string): string | null {
  if (token.test(text)) return text
  const content = quotedString.exec(text)?.[1]
  return content === undefined ? null : content.replaceAll(/\\(.)/g, '$1')
}

/**
 * What the client prefers (https://www.rfc-editor.org/rfc/rfc7240#section-2), in lower case: `explain=authorization`.
 * Parameters are left out, and an empty value is none.
 */
export function parsePreferences({ req: { headers } }: Pick<Context, 'req'>): readonly string[] {
  const { prefer } = headers
  if (prefer === undefined) return []
  return splitUnquoted(String(prefer), ',').map((each) => {
    const [preference = ''] = splitUnquoted(each, ';')
    return preference
      .toLowerCase()
      .replace(/[\s"\\]/g, '')
      .replace(/=$/, '')
  })
}
