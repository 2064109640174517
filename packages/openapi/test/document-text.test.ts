import { expect, test } from 'vitest'
import { compiledApi } from '../../../test/support/api-files.ts'
import { grownSchema } from '../../../test/support/grown-schema.ts'
import { largeSchema } from '../../../test/support/large-schema.ts'
import { documentParts, openApiDocument } from '../src/document.ts'
import { documentText } from '../src/document-text.ts'

const server = compiledApi({})

test.each([0, 2])('the pieces of a document, indented by %s, are its text', (indent) => {
  expect([...documentText(documentParts(server), indent)].join('')).toBe(
    JSON.stringify(openApiDocument(server), null, indent),
  )
})

test('each path and each component of a large document is one line', () => {
  const large = compiledApi({ prisma: largeSchema(102) })
  const text = [...documentText(documentParts(large), 2)].join('')
  expect(JSON.parse(text)).toEqual(openApiDocument(large))
  const lines = text.split('\n')
  const path = '/api/v1/parcel7s'
  expect(lines.filter((line) => line.startsWith(`    "${path}":`))).toEqual([
    `    "${path}": ${JSON.stringify((JSON.parse(text) as { paths: Record<string, unknown> }).paths[path])},`,
  ])
})

// The whole is four seconds of CPU for three hundred types, and other requests go on between two pieces.
test('no piece of a large document takes long to make', () => {
  const large = documentParts(compiledApi({ prisma: grownSchema(101) }))
  const made: number[] = []
  let before = process.cpuUsage()
  for (const _ of documentText(large)) {
    const { user, system } = process.cpuUsage(before)
    made.push(user + system)
    before = process.cpuUsage()
  }
  const all = made.reduce((sum, each) => sum + each, 0)
  expect(Math.max(...made)).toBeLessThan(all / 4)
})
