import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { documentParts } from '../../../src/openapi/document.ts'
import { documentText } from '../../../src/openapi/document-text.ts'
import { compiledApi, diff } from '../../support/api-files.ts'
import { grownSchema } from '../../support/grown-schema.ts'

// A server of three hundred types, as a grown application has them.

const server = compiledApi({ prisma: grownSchema(302) })
const pieces = [...documentText(documentParts(server))]
const text = pieces.join('')
const document = JSON.parse(text)

test('its document has every type, in six megabytes and small pieces', () => {
  expect(server.schemas.byType.size).toBe(302)
  expect(document.tags).toHaveLength(302)
  expect(text.length).toBeLessThan(6_000_000)
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(200_000)
})

test('its document passes two validators', async () => {
  expect(await new Validator().validate(document)).toEqual({ valid: true })
  // What the application says, and the comments of its Prisma schema.
  const rules = { 'info-license': 'off', 'security-defined': 'off', 'tag-description': 'off' } as const
  const problems = await lintFromString({
    source: text,
    config: await createConfig({ extends: ['recommended'], rules }),
  })
  expect(problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)).toEqual([])
})

test('a part of it is described in full', async () => {
  const parts = documentParts(server, undefined, { types: new Set(['billing-members']) })
  const part = JSON.parse([...documentText(parts)].join(''))
  const filters = Object.keys(part.components.parameters).filter((name) => name.startsWith('filter.billing-members.'))
  expect(filters).toEqual(expect.arrayContaining(['filter.billing-members.name.contains']))
})

test('what is gone from it, a comparison tells', async () => {
  const after = structuredClone(document)
  delete after.components.parameters['filter.billing-members'].schema.properties.name
  const files = { 'before.json': text, 'after.json': JSON.stringify(after) }
  const { status, said } = await diff(files, 'before.json', 'after.json')
  expect([status, said]).toEqual([1, expect.stringContaining('filters by name')])
})
