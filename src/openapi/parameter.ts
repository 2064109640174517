import type { ResourceSchema } from '../schema/resource-schema.ts'
import type { Part } from './described.ts'

/** Parameters by the name under which operations refer to them. */
export type ParameterParts = Readonly<Record<string, Part>>

/** A comma list. */
export const listParameter = (name: string, items: Part, more: Part = {}): Part => ({
  name,
  in: 'query',
  ...more,
  style: 'form',
  explode: false,
  schema: { type: 'array', items },
})

// The mark of soft deletion is left out wherever it would be named: it exists only for who may see deleted rows.
export const shownAttributes = ({ attributes, deletedAtAttribute }: ResourceSchema) =>
  [...attributes.values()].filter(({ name, writeOnly }) => !writeOnly && name !== deletedAtAttribute)
