import { expect, test } from 'vitest'
import { documentParts, openApiDocument } from '../../../src/openapi/document.ts'
import { documentText } from '../../../src/openapi/document-text.ts'
import { compiledApi } from '../../support/api-files.ts'

const server = compiledApi({})

test.each([0, 2])('the pieces of a document, indented by %s, are its text', (indent) => {
  expect([...documentText(documentParts(server), indent)].join('')).toBe(
    JSON.stringify(openApiDocument(server), null, indent),
  )
})

test('each path and each component of a large document is one line', () => {
  const parts = () => documentParts(server, undefined, { isLarge: true })
  const text = [...documentText(parts(), 2)].join('')
  expect(JSON.parse(text)).toEqual(openApiDocument(server, undefined, { isLarge: true }))
  const lines = text.split('\n')
  const path = '/api/v1/posts'
  expect(lines.filter((line) => line.startsWith(`    "${path}":`))).toEqual([
    `    "${path}": ${JSON.stringify((JSON.parse(text) as { paths: Record<string, unknown> }).paths[path])},`,
  ])
})
