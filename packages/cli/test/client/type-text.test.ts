import { expect, test } from 'vitest'
import { typeText } from '../../src/client/type-text.ts'

test.each([
  ['a text', { type: 'string', format: 'date-time' }, 'string'],
  ['a number', { type: ['integer', 'null'] }, 'number | null'],
  ['a constant', { type: 'string', const: "Ann's" }, "'Ann\\'s'"],
  ['a text of two lines', { const: 'a "b"\nc' }, `'a "b"\\nc'`],
  ['an enumeration', { type: ['string', 'null'], enum: ['A', 'B', null] }, "'A' | 'B' | null"],
  ['anything', {}, 'unknown'],
  ['a list', { type: 'array', items: { type: 'string' } }, 'string[]'],
  ['a list of several', { type: 'array', items: { type: ['string', 'null'] } }, 'Array<string | null>'],
  ['what a type has', { $ref: '#/components/schemas/blog-posts.resource' }, "Types['blog-posts']['resource']"],
  ['what no type has', { $ref: '#/components/schemas/errors' }, "Shared['errors']"],
  [
    'one of several, each once',
    { anyOf: [{ type: 'string' }, { $ref: '#/components/schemas/tags.resource' }, { type: 'string' }] },
    "string | Types['tags']['resource']",
  ],
  [
    'an object',
    {
      type: 'object',
      required: ['a'],
      properties: {
        a: { type: 'boolean', description: 'Is it /* so */ ?' },
        'b-c': { type: 'null', deprecated: true },
      },
    },
    "{\n/** Is it /* so *\\/ ? */\na: boolean\n/** @deprecated */\n'b-c'?: null\n}",
  ],
  ['an object of numbers', { type: 'object', additionalProperties: { type: 'integer' } }, '{ [name: string]: number }'],
  [
    'a document with data and figures',
    {
      allOf: [{ $ref: '#/components/schemas/document' }],
      properties: { data: { $ref: '#/components/schemas/posts.resource' }, meta: { type: 'object', properties: {} } },
    },
    "Answer<Types['posts']['resource']> & {\nmeta?: {}\n}",
  ],
  [
    'an object of these names',
    { type: 'object', propertyNames: { enum: ['a', 'b'] } },
    "{ [K in 'a' | 'b']?: unknown }",
  ],
])('%s', (_what, schema, text) => {
  expect(typeText(schema)).toBe(text)
})
