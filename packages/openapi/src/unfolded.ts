import type { Components } from './referred.ts'

/**
 * The components without one that leads to all types. A viewer copies a component to each of its references: for a type
 * with a hundred relations, these were millions of nodes, and a reader waited a minute for the page.
 */
export function withoutAllTypes({ schemas, parameters, ...others }: Components): Components {
  const { fields } = parameters ?? {}
  return {
    schemas: { ...schemas, included },
    parameters: { ...parameters, ...(fields && { fields: { ...fields, schema: listByType } }) },
    ...others,
  }
}

const text = { type: 'string' }
const included = {
  description: 'Resources of the types that `include` leads to.',
  type: 'array',
  items: { type: 'object', required: ['type', 'id'], properties: { type: text, id: text } },
}
const listByType = { type: 'object', additionalProperties: { type: ['string', 'array'], items: text } }
