import type { JsonApiError } from '@prismapi/jsonapi/document/error'
import { type Language, Message, say, translateText } from '@prismapi/jsonapi/document/text'
import { singularFor, upperFirst, wordsOf } from '@prismapi/jsonapi/schema/naming'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { searchName } from '@prismapi/jsonapi/schema/search'

/**
 * Text of a page: as an application stores it, or in the language of its reader. The gaps of a message may hold such
 * text, too.
 */
export type Words = string | number | Message | ((language: Language) => string)

export function wordsIn(language: Language, words: Words): string {
  if (typeof words === 'function') return words(language)
  if (!(words instanceof Message)) return String(words)
  return words.fill(language.textFor(words.template), (gap) => wordsIn(language, gap as Words))
}

/** The same at the beginning of a line. */
export const capital =
  (words: Words): Words =>
  (language) =>
    upperFirst(wordsIn(language, words))

/** What an error says. */
export const errorTold =
  (error: JsonApiError): Words =>
  (language) =>
    error.translated((text) => translateText(language, text), {}).message

/** A number with marks between its thousands, and at most two decimals, or so many. */
export const numberTold =
  (value: number, least = 0): Words =>
  (language) =>
    value.toLocaleString(language.tag, { minimumFractionDigits: least, maximumFractionDigits: 2 })

/** `publishedAt` → `published at`: a field or a type as it stands within a sentence. */
export const fieldWords = (name: string): Words => (name === searchName ? say`Search` : spelt(wordsOf(name)))

/** One of a type: `blog-posts` → `blog post` */
export const oneOf = ({ type, model }: Pick<ResourceSchema, 'type' | 'model'>): Words =>
  spelt(singularFor(type, model.name))

/** The words of a name, or what the reader's language has for them. */
const spelt =
  (words: string): Words =>
  (language) => {
    const api = language.textFor(words)
    return api === words ? words.split(' ').map(withCapitals).join(' ') : api
  }

/** `url` → `URL`, `ids` → `IDs`: names lose the capitals that people write. */
const withCapitals = (word: string): string => capitals.get(word) ?? word

const shortForms = [
  ...['API', 'BIC', 'CPU', 'CRM', 'CSS', 'CSV', 'DNS', 'EAN', 'FAQ', 'GDPR', 'GPS', 'GTIN', 'HTML', 'HTTP', 'HTTPS'],
  ...['IBAN', 'ID', 'IP', 'ISBN', 'JSON', 'JWT', 'MFA', 'OTP', 'PDF', 'QR', 'RAM', 'RSS', 'SEO', 'SKU', 'SMS', 'SQL'],
  ...['SSH', 'SSL', 'SSO', 'SVG', 'TLS', 'UI', 'URI', 'URL', 'UTC', 'UUID', 'VAT', 'XML'],
]
const capitals: ReadonlyMap<string, string> = new Map([
  ...shortForms.flatMap(
    (form) =>
      [
        [form.toLowerCase(), form],
        [`${form.toLowerCase()}s`, `${form}s`],
      ] as const,
  ),
  ...(['GraphQL', 'OAuth'] as const).map((form) => [form.toLowerCase(), form] as const),
])

/** `publishedAt` → `Published at`: a field as the heads of tables and forms have it. */
export const titleOf = (name: string): Words => capital(fieldWords(name))

/** A name as URLs have it, unless the reader's language has one for it. */
export const plainName =
  (name: string): Words =>
  (language) => {
    const words = wordsOf(name)
    const api = language.textFor(words)
    return api === words ? name : api
  }

export const joined =
  (all: readonly Words[], between: string): Words =>
  (language) =>
    all.map((each) => wordsIn(language, each)).join(between)

/** `1, 2 or 3` without commas. */
export const eitherOf = (all: readonly Words[]): Words =>
  all.length === 0 ? '' : all.reduce((before, each) => say`${before} or ${each}`)

/** `1, 2 and 3` */
export const eachOf = (all: readonly Words[]): Words => {
  const last = all.at(-1) ?? ''
  return all.length < 2 ? last : say`${joined(all.slice(0, -1), ', ')} and ${last}`
}
