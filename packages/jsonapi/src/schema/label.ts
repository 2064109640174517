import type { Attribute, AttributeKind } from './resource-schema.ts'

/** Attributes that say what a resource is called, the best first. */
const usual = ['name', 'title', 'label', 'subject', 'email', 'slug']

/** Of a resource that nothing of that calls, a text says what it is. */
const texts = ['content', 'body', 'text', 'message', 'comment', 'description', 'summary', 'bio', 'note']

/** Is a label the beginning of a text, and no name. */
export const isOfText = (label: string): boolean => texts.includes(label)

const readable = new Set<AttributeKind>(['string', 'enum', 'integer', 'bigint', 'decimal', 'datetime', 'date'])

/**
 * The attribute by which people know a resource: what the schema class
 * says, or one with a usual name, or else a text; null where its type and id have to do.
 *
 * @throws {Error} for a label that clients are not shown.
 */
export function labelOf(
  model: string,
  declared: string | undefined,
  attributes: ReadonlyMap<string, Attribute>,
): string | null {
  if (declared === undefined) return [...usual, ...texts].find((name) => isText(attributes.get(name))) ?? null
  const attribute =
    attributes.get(declared) ?? [...attributes.values()].find(({ column }) => column?.name === declared) ?? null
  if (attribute && !attribute.writeOnly) return attribute.name
  throw new Error(
    `label = '${declared}': ${model} shows no attribute of that name. Name one that clients see, or remove the line.`,
  )
}

const isText = (attribute: Attribute | undefined): boolean =>
  attribute !== undefined && !attribute.writeOnly && !attribute.isList && readable.has(attribute.kind)
