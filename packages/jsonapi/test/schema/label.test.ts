import { expect, test } from 'vitest'
import { schemaOfModel } from '../../../../test/support/schemas.ts'
import { labelOf } from '../../src/schema/label.ts'

const { attributes } = schemaOfModel('Post')

test.each([
  ['User', 'name'],
  ['Post', 'title'],
  ['Video', 'title'],
  ['Comment', 'content'],
  ['Profile', 'bio'],
])('a %s is known by %s', (model, expected) => {
  expect(labelOf(model, undefined, schemaOfModel(model).attributes)).toBe(expected)
})

test('a schema class names another attribute', () => {
  expect(labelOf('Post', 'slug', attributes)).toBe('slug')
})

test.each(['nothing', 'passwordHash'])('the label %s, which clients are not shown, is an error at boot', (label) => {
  expect(() => labelOf('Post', label, attributes)).toThrow(
    `label = '${label}': Post shows no attribute of that name. Name one that clients see, or remove the line.`,
  )
})
