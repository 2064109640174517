import type { Failure } from './failure.ts'

/** What a text may speak of. */
export interface MessageParts {
  /** The field's display name (`published at`). */
  readonly attribute: string
  /** What was sent. */
  readonly value: unknown
  /** What the rule was called with (`{ max: 200 }`). */
  readonly params: Readonly<Record<string, unknown>>
}

/** The text of a failure, or what makes it. */
export type MessageText = string | ((parts: MessageParts) => string)

/** Texts by `<field>.<rule>`, or by `<rule>` for every field; in a string `:attribute` and `:max` are filled in. */
export type Messages = Readonly<Record<string, MessageText>>

/** Display names by field, or by a path below one (`tags.*`). */
export type AttributeNames = Readonly<Record<string, string>>

export interface Wording {
  readonly messages: Messages
  readonly attributes: AttributeNames
}

type Text = (parts: MessageParts) => string

const must =
  (rest: string): Text =>
  ({ attribute }) =>
    `The ${attribute} field must ${rest}.`

/** `must(be at least 3 characters)`, `… items` or a plain number, by what the value is. */
const sized =
  (rest: string, param: string): Text =>
  ({ attribute, value, params }) => {
    const unit = typeof value === 'string' ? ' characters' : Array.isArray(value) ? ' items' : ''
    return `The ${attribute} field must ${Array.isArray(value) ? rest.replace('be', 'have') : rest} ${params[param]}${unit}.`
  }

/** Of a decimal that is one, but has more digits than there is room for; null where that is not the fault. */
function tooManyDigits(attribute: string, { digits, scale }: MessageParts['params'], isOne: boolean): string | null {
  if (!isOne || typeof digits !== 'number') return null
  if (typeof scale !== 'number') return `The ${attribute} field must not have more than ${digits} digits.`
  return `The ${attribute} field must not have more than ${digits - scale} digits before and ${scale} behind the point.`
}

const texts: Readonly<Record<string, Text>> = {
  required: ({ attribute }) => `The ${attribute} field is required.`,
  nullable: must('not be null'),
  boolean: must('be a boolean'),
  number: must('be a number'),
  integer: must('be an integer'),
  string: must('be a string'),
  array: must('be an array'),
  object: must('be an object'),
  bigint: must('be a 64-bit integer, written as a string'),
  decimal: ({ attribute, value, params }) =>
    tooManyDigits(attribute, params, typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)) ??
    `The ${attribute} field must be a decimal number, written as a string.`,
  bytes: must('be a base64 string'),
  uuid: must('be a valid UUID'),
  email: must('be a valid email address'),
  url: must('be a valid URL'),
  storable: must('not contain characters that cannot be stored'),
  exact: ({ attribute, params }) =>
    tooManyDigits(attribute, params, true) ?? `The ${attribute} field must be a value that can be stored exactly.`,
  future: must('be in the future'),
  dateTime: ({ attribute }) => `The ${attribute} is not a valid ISO 8601 date and time.`,
  enumOf: ({ attribute, params }) => `The ${attribute} field must be one of ${params.values}.`,
  oneOf: ({ attribute, params }) => `The ${attribute} field must be one of ${params.values}.`,
  min: sized('be at least', 'min'),
  max: ({ attribute, value, params }) => {
    if (Array.isArray(value)) return `The ${attribute} field must not have more than ${params.max} items.`
    return `The ${attribute} field must not be greater than ${params.max}${typeof value === 'string' ? ' characters' : ''}.`
  },
  length: sized('be exactly', 'length'),
  clientId: ({ attribute }) => `The ${attribute} format is invalid.`,
  matches: ({ attribute }) => `The ${attribute} format is invalid.`,
  toOne: ({ params }) =>
    `The ${params.field} field must be a to-one relationship containing ${params.types} resources.`,
  toMany: ({ params }) =>
    `The ${params.field} field must be a to-many relationship containing ${params.types} resources.`,
  unique: ({ attribute }) => `The ${attribute} has already been taken.`,
  confirmed: ({ attribute }) => `The ${attribute} field confirmation does not match.`,
  requiredWith: ({ attribute, params }) =>
    `The ${attribute} field is required when ${toWords(String(params.other))} is present.`,
  same: ({ attribute, params }) => `The ${attribute} field must match ${toWords(String(params.other))}.`,
  notSupported: ({ attribute }) => `The ${attribute} field is not supported.`,
}

const invalid: Text = ({ attribute }) => `The ${attribute} field is invalid.`

/** The text of a failure: the application's for it, the rule's own, ours. */
export function detailOf(failure: Failure, { messages, attributes }: Wording): string {
  const { path, rule, value, params } = failure
  const parts = { attribute: displayName(path, attributes), value, params }
  const custom = rule === null ? undefined : textFor(messages, path, rule)
  if (custom !== undefined) return typeof custom === 'string' ? fill(custom, parts) : custom(parts)
  if (failure.message !== null) return failure.message
  return (own(texts, rule ?? '') ?? invalid)(parts)
}

function textFor(messages: Messages, path: readonly string[], rule: string): MessageText | undefined {
  return own(messages, `${path.join('.')}.${rule}`) ?? own(messages, `${pattern(path)}.${rule}`) ?? own(messages, rule)
}

function displayName(path: readonly string[], names: AttributeNames): string {
  return own(names, path.join('.')) ?? own(names, pattern(path)) ?? path.map(toWords).join('.')
}

/** `tags.3.id` → `tags.*.id`. */
const pattern = (path: readonly string[]): string => path.map((name) => (/^\d+$/.test(name) ? '*' : name)).join('.')

/** `publishedAt` → `published at`. */
const toWords = (name: string): string =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .toLowerCase()

function fill(text: string, { attribute, params }: MessageParts): string {
  return text.replace(/:(\w+)/g, (placeholder, name: string) => {
    if (name === 'attribute') return attribute
    return Object.hasOwn(params, name) ? String(params[name]) : placeholder
  })
}

// Names come from documents: `constructor` is none of ours.
const own = <T>(from: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(from, name) ? from[name] : undefined
