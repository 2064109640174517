import { documentParts } from '@prismapi/openapi/document'
import { documentText } from '@prismapi/openapi/document-text'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { compiledApi, diff } from '../../support/api-files.ts'
import { grownSchema } from '../../support/grown-schema.ts'

// A server of three hundred types, as a grown application has them.

const server = compiledApi({ prisma: grownSchema(302) })
const pieces = [...documentText(documentParts(server))]
const text = pieces.join('')
const document = JSON.parse(text)

test('its document has every type, in less than seven megabytes and small pieces', () => {
  expect(server.schemas.byType.size).toBe(302)
  expect(document.tags).toHaveLength(302)
  expect(text.length).toBeLessThan(6_750_000)
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

test('a part of it is described as the whole is', async () => {
  const parts = documentParts(server, undefined, { types: new Set(['billing-members']) })
  const part = JSON.parse([...documentText(parts)].join(''))
  const { '/api/v1/openapi.json': _, ...paths } = part.paths
  expect(Object.keys(paths).length).toBeGreaterThan(10)
  expect(document.paths).toMatchObject(paths)
  const { included, ...schemas } = part.components.schemas
  expect(document.components).toMatchObject({ ...part.components, schemas })
})

/** How many parts a document has for a viewer that copies what is referred to, each time. */
function unfoldedSize(all: object): number {
  const known = new Map<string, number>()
  const sizeOf = (part: unknown, inside: readonly string[]): number => {
    if (typeof part !== 'object' || part === null) return 1
    const { $ref } = part as { readonly $ref?: string }
    if ($ref === undefined) return Object.values(part).reduce((sum: number, each) => sum + sizeOf(each, inside), 1)
    if (inside.includes($ref)) return 1
    const names = $ref.slice(2).split('/')
    const target = names.reduce<unknown>((found, name) => (found as Record<string, unknown>)[name], all)
    const size = known.get($ref) ?? sizeOf(target, [...inside, $ref])
    known.set($ref, size)
    return size
  }
  return sizeOf((all as { readonly paths: object }).paths, [])
}

test('a part for the reference has a fraction of the parts, when all references are followed, and is valid', async () => {
  const partOf = (isUnfolded: boolean) => {
    const types = new Set(['users'])
    return JSON.parse([...documentText(documentParts(server, undefined, { types, isUnfolded }))].join(''))
  }
  const [folded, unfolded] = [partOf(false), partOf(true)]
  expect(Object.keys(unfolded.paths)).toEqual(Object.keys(folded.paths))
  expect(unfoldedSize(unfolded) * 10).toBeLessThan(unfoldedSize(folded))
  expect(await new Validator().validate(unfolded)).toEqual({ valid: true })
})

test('what is gone from it, a comparison tells', async () => {
  const after = structuredClone(document)
  const { get } = after.paths['/api/v1/billing-members']
  get.parameters = get.parameters.filter(({ $ref }: { $ref: string }) => !/\/filters\.name-/.test($ref))
  const files = { 'before.json': text, 'after.json': JSON.stringify(after) }
  const { status, said } = await diff(files, 'before.json', 'after.json')
  expect([status, said]).toEqual([1, expect.stringContaining('filters by name')])
})
