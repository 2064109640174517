import { readFileSync } from 'node:fs'
import path from 'node:path'
import { compileServer } from '@prismapi/core/server/compile'
import { cursorSeal } from '@prismapi/jsonapi/pagination/cursor-seal'
import { openApiDocument } from '@prismapi/openapi/document'
import { dateTime, type Fields, Schema, Server } from 'prismapi'
import { compiledFeatures } from 'prismapi/internal/usual/compiled-features'
import type { ServerParts } from 'prismapi/types'
import { expect, test } from 'vitest'
import { resourcesOf } from '../../support/resources-of.ts'

// All words of a document, for somebody to read: of an application whose names are odd. `vitest -u` writes the file anew; read it as
// a reader of the reference does.

const fixture = (name: string): string => path.resolve(import.meta.dirname, '../../fixtures/words', name)

class V1 extends Server {
  override readonly name = 'v1'
  override readonly version = '1.1'
}

// The models are none of the example's.
const Any = Schema as unknown as abstract new () => Schema<'Post'>
const handle = () => undefined as never

class NoteSchema extends Any {
  override fields(): Fields {
    return [this.morphTo('subject' as never, ['person', 'course'] as never)]
  }
  override actions() {
    return [
      this.action('markAsRead', { handle }),
      this.action('archive', { handle }),
      this.action('archiveAll', { on: 'collection', handle }),
      this.action('import', { on: 'collection', handle }),
    ]
  }
}
class CourseSchema extends Any {
  override readonly softDelete = undefined as never
  override actions() {
    return [
      this.action('preview', { method: 'GET', handle }),
      this.action('sendInvitations', { rules: { at: dateTime() }, handle }),
    ]
  }
}
class EnrollmentSchema extends Any {
  override fields(): Fields {
    return [
      this.attribute('grade' as never).aggregatable(),
      this.attribute('since' as never).groupable(),
      this.relation('course' as never).groupable(),
    ]
  }
}

const say = () => {}
const logger = { debug: say, info: say, warn: say, error: say }

function documentOfOdd() {
  const resources = resourcesOf(readFileSync(fixture('odd.prisma'), 'utf8'), 'sqlite')
  const schemas = new Map<string, never>(
    Object.entries({ Note: NoteSchema, Course: CourseSchema, Enrollment: EnrollmentSchema }) as never,
  )
  const parts = { server: V1, schemas, authorizers: new Map(), requests: new Map() } as unknown as ServerParts
  const environment = { policies: new Map(), baseUrl: 'https://a.example', production: true, logger }
  return openApiDocument(
    compileServer(parts, { ...environment, resources, cursorSeal: cursorSeal(null), features: compiledFeatures }),
  )
}

type Part = Readonly<Record<string, unknown>>
const methods = ['get', 'post', 'patch', 'delete']

/** Each operation in a line: how it is asked for, its id, and what it is called. */
const operationsOf = ({ paths }: Part): readonly string[] =>
  Object.entries(paths as Readonly<Record<string, Readonly<Record<string, Part>>>>).flatMap(([url, item]) =>
    methods.flatMap((method) => {
      const { operationId, summary, tags = [] } = item[method] ?? {}
      return item[method] ? [`${method.toUpperCase()} ${url} · ${tags} · ${operationId} · ${summary}`] : []
    }),
  )

/** Every description once, in the order of the document. */
function descriptionsOf(part: unknown, found = new Set<string>()): ReadonlySet<string> {
  if (typeof part !== 'object' || part === null) return found
  for (const [key, value] of Object.entries(part)) {
    if (key === 'description' && typeof value === 'string') found.add(value)
    else descriptionsOf(value, found)
  }
  return found
}

test('all words of a document read as English', async () => {
  const document = documentOfOdd()
  const text = [...operationsOf(document), '', ...descriptionsOf(document), ''].join('\n')
  await expect(text).toMatchFileSnapshot(fixture('words.txt'))
})

test('each operation has an id of its own', () => {
  const ids = operationsOf(documentOfOdd()).map((line) => line.split(' · ')[2])
  expect(ids.length).toBeGreaterThan(100)
  expect(ids).toEqual([...new Set(ids)])
})
