import { isDeepStrictEqual } from 'node:util'
import { type Attribute, isKeyAttribute, type ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { isObject, type Json } from '../judges/judged.ts'

interface Sent {
  readonly schema: ResourceSchema
  readonly sent: Readonly<Record<string, unknown>>
  readonly adjusted: readonly string[]
}

/** Attributes that a resource shows otherwise than they were sent. */
export function* differencesFrom({ schema, sent, adjusted }: Sent, data: unknown): Generator<string> {
  const shown: Json = isObject(data) && isObject(data.attributes) ? data.attributes : {}
  for (const [name, value] of Object.entries(sent)) {
    const attribute = schema.attributes.get(name)
    if (!attribute || attribute.readOnly || adjusted.includes(name) || !Object.hasOwn(shown, name)) continue
    if (!isKept(attribute) || isSame(attribute, value, shown[name])) continue
    yield `attributes.${name} is ${JSON.stringify(shown[name])}, and ${JSON.stringify(value)} was sent`
  }
}

/** What of these attributes an update may say. */
export const changeable = ({ schema, sent, adjusted }: Sent): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(sent).filter(([name]) => {
      const attribute = schema.attributes.get(name)
      return attribute && !attribute.readOnly && !isKeyAttribute(schema, attribute) && !adjusted.includes(name)
    }),
  )

const narrow: ReadonlySet<string> = new Set(['Time', 'Timetz', 'Real', 'Float'])

/** Does a column keep all of a value, and the type show it as it was sent. */
const isKept = ({ column, isConverted }: Attribute): boolean =>
  column !== null && !isConverted && !narrow.has(column.native?.[0] ?? '')

function isSame(attribute: Attribute, sent: unknown, shown: unknown): boolean {
  if (Array.isArray(sent) && Array.isArray(shown))
    return sent.length === shown.length && sent.every((each, i) => isSame(attribute, each, shown[i]))
  if (sent === null || shown === null) return sent === shown
  if (attribute.kind === 'datetime') return Date.parse(String(sent)) === Date.parse(String(shown))
  if (attribute.kind === 'decimal' || attribute.kind === 'bigint') return Number(sent) === Number(shown)
  // A column of so many characters is filled up.
  if (attribute.column?.native?.[0] === 'Char') return String(sent).trimEnd() === String(shown).trimEnd()
  return isDeepStrictEqual(sent, shown)
}
