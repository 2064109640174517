import { Message, named, say, type Text } from '@prismapi/jsonapi/document/text'
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
export type MessageText = Text | ((parts: MessageParts) => Text)

/**
 * Texts by `<field>.<rule>`, or by `<rule>` for every field; in a string `:attribute` and `:max` are filled in
 * (docs/specification.md#validation-errors).
 */
export type Messages = Readonly<Record<string, MessageText>>

/** Display names by field, or by a path below one (`tags.*`). */
export type AttributeNames = Readonly<Record<string, string>>

export interface Wording {
  readonly messages: Messages
  readonly attributes: AttributeNames
}

interface Parts extends Omit<MessageParts, 'attribute'> {
  readonly attribute: Message
}

type Sentence = (parts: Parts) => Message

const min: Sentence = ({ attribute, value, params }) => {
  if (typeof value === 'string' && !params.isNumber)
    return say`The ${attribute} field must be at least ${params.min} characters.`
  if (Array.isArray(value)) return say`The ${attribute} field must have at least ${params.min} items.`
  return say`The ${attribute} field must be at least ${params.min}.`
}

const max: Sentence = ({ attribute, value, params }) => {
  if (typeof value === 'string' && !params.isNumber)
    return say`The ${attribute} field must not be greater than ${params.max} characters.`
  if (Array.isArray(value)) return say`The ${attribute} field must not have more than ${params.max} items.`
  return say`The ${attribute} field must not be greater than ${params.max}.`
}

const length: Sentence = ({ attribute, value, params }) => {
  if (typeof value === 'string') return say`The ${attribute} field must be exactly ${params.length} characters.`
  if (Array.isArray(value)) return say`The ${attribute} field must have exactly ${params.length} items.`
  return say`The ${attribute} field must be exactly ${params.length}.`
}

/** Of a decimal that is one, but has more digits than there is room for; null where that is not the fault. */
function tooManyDigits(attribute: Message, { digits, scale }: MessageParts['params'], isOne: boolean): Message | null {
  if (!isOne || typeof digits !== 'number') return null
  if (typeof scale !== 'number') return say`The ${attribute} field must not have more than ${digits} digits.`
  return say`The ${attribute} field must not have more than ${digits - scale} digits before and ${scale} behind the point.`
}

const sentences: Readonly<Record<string, Sentence>> = {
  required: ({ attribute }) => say`The ${attribute} field is required.`,
  nullable: ({ attribute }) => say`The ${attribute} field must not be null.`,
  boolean: ({ attribute }) => say`The ${attribute} field must be a boolean.`,
  number: ({ attribute }) => say`The ${attribute} field must be a number.`,
  integer: ({ attribute }) => say`The ${attribute} field must be an integer.`,
  string: ({ attribute }) => say`The ${attribute} field must be a string.`,
  array: ({ attribute }) => say`The ${attribute} field must be an array.`,
  object: ({ attribute }) => say`The ${attribute} field must be an object.`,
  bigint: ({ attribute }) => say`The ${attribute} field must be a 64-bit integer, written as a string.`,
  decimal: ({ attribute, value, params }) =>
    tooManyDigits(attribute, params, typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)) ??
    say`The ${attribute} field must be a decimal number, written as a string.`,
  positive: ({ attribute }) => say`The ${attribute} field must be greater than 0.`,
  scale: ({ attribute, params }) =>
    say`The ${attribute} field must not have more than ${params.scale} digits behind the point.`,
  bytes: ({ attribute }) => say`The ${attribute} field must be a base64 string.`,
  uuid: ({ attribute }) => say`The ${attribute} field must be a valid UUID.`,
  email: ({ attribute }) => say`The ${attribute} field must be a valid email address.`,
  url: ({ attribute }) => say`The ${attribute} field must be a valid URL.`,
  storable: ({ attribute }) => say`The ${attribute} field must not contain characters that cannot be stored.`,
  exact: ({ attribute, params }) =>
    tooManyDigits(attribute, params, true) ?? say`The ${attribute} field must be a value that can be stored exactly.`,
  future: ({ attribute }) => say`The ${attribute} field must be in the future.`,
  dateTime: ({ attribute }) => say`The ${attribute} is not a valid ISO 8601 date and time.`,
  date: ({ attribute }) => say`The ${attribute} field must be a date such as 2026-11-27.`,
  time: ({ attribute }) => say`The ${attribute} field must be a time such as 09:30:00.`,
  enumOf: ({ attribute, params }) => say`The ${attribute} field must be one of ${params.values}.`,
  oneOf: ({ attribute, params }) => say`The ${attribute} field must be one of ${params.values}.`,
  min,
  max,
  length,
  clientId: ({ attribute }) => say`The ${attribute} format is invalid.`,
  matches: ({ attribute }) => say`The ${attribute} format is invalid.`,
  // Of the input of an action, which may be anything, and is not of any type then.
  toOne: ({ attribute, params }) =>
    params.field === undefined
      ? say`The member ${attribute} must be a resource identifier.`
      : say`The ${params.field} field must be a to-one relationship containing ${params.types} resources.`,
  toMany: ({ attribute, params }) =>
    params.field === undefined
      ? say`The ${attribute} field must be an array.`
      : say`The ${params.field} field must be a to-many relationship containing ${params.types} resources.`,
  unique: ({ attribute }) => say`The ${attribute} has already been taken.`,
  confirmed: ({ attribute }) => say`The ${attribute} field confirmation does not match.`,
  requiredWith: ({ attribute, params }) =>
    say`The ${attribute} field is required when ${named(toWords(String(params.other)))} is present.`,
  same: ({ attribute, params }) => say`The ${attribute} field must match ${named(toWords(String(params.other)))}.`,
  notSupported: ({ attribute }) => say`The ${attribute} field is not supported.`,
}

const invalid: Sentence = ({ attribute }) => say`The ${attribute} field is invalid.`

/** The text of a failure: the application's for it, the rule's own, ours. */
export function detailOf(failure: Failure, wording: Wording): Message {
  const text = textOf(failure, wording)
  return typeof text === 'string' ? named(text) : text
}

function textOf(failure: Failure, { messages, attributes }: Wording): Text {
  const { path, rule, value, params } = failure
  const attribute = displayName(path, attributes)
  const custom = rule === null ? undefined : textFor(messages, path, rule)
  if (typeof custom === 'string') return withGaps(custom, { ...params, attribute: named(attribute) })
  if (custom !== undefined) return typeof custom === 'function' ? custom({ attribute, value, params }) : custom
  if (failure.message !== null) return failure.message
  return (own(sentences, rule ?? '') ?? invalid)({ attribute: named(attribute), value, params })
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

/** A text in which `:attribute` and `:max` are gaps, where there is something to fill them with. */
function withGaps(text: string, values: Readonly<Record<string, unknown>>): Message {
  const pieces = text.split(/(:\w+)/)
  const around = ['']
  const names: string[] = []
  for (const piece of pieces) {
    if (piece.startsWith(':') && Object.hasOwn(values, piece.slice(1))) {
      names.push(piece)
      around.push('')
    } else around.push(`${around.pop()}${piece}`)
  }
  return new Message(
    around,
    names.map((name) => values[name.slice(1)]),
    names,
  )
}

// Names come from documents: `constructor` is none of ours.
const own = <T>(from: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(from, name) ? from[name] : undefined
