import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { filesBelow } from '../../scripts/packages/imports.ts'

const root = path.resolve(import.meta.dirname, '../..')

/** Who reads rows beside the wall, or puts another reader behind it, and why it may. */
const reasons: Readonly<Record<string, string>> = {
  'core/actions/atomic/execute-operations.ts':
    'A unique value that a hidden row has is taken. It reads no column but that one.',
  'core/actions/context.ts': 'Rules judge rows that were found, by columns and rows that their caller need not see.',
  'core/actions/document-checks.ts': 'An id that a hidden row has is taken.',
  'core/actions/judged.ts': 'It puts a reader behind the wall that notes what policies and rules count.',
  'core/actions/reading.ts':
    'It asks which rows that were read may be viewed. What was created is no secret to who sent it, even where a scope hides it.',
  'core/read/resource.ts': 'It asks of rows that were read whose fields are seen, and reads their keys.',
  'core/read/loading/load-relations.ts':
    'The pivots were read with what is seen of their targets: these are the targets.',
  'core/read/loading/loading.ts': 'It reads nothing but how keys are spelt that were read already.',
  'core/read/statistics.ts': 'It reads nothing but how ids are spelt that groups have already.',
  'core/validation/request/make-request.ts': 'countAll() of request classes counts every row, as its docstring says.',
  'core/validation/rules/unique-rules.ts': 'A unique value that a hidden row has is taken.',
  'core/write/links/plan-links.ts':
    'It reads rows whose keys came through the wall, a statement before; there is one pivot, hidden or not.',
  'core/write/rows-that-go.ts': 'It counts what the database removes with a row, which asks nobody who sees it.',
  'core/write/save-row.ts': 'Code of the application gets the row that it has just saved.',
  'core/write/write-row.ts':
    'Hooks are told of the row that was written; a trigger may have moved the one that was removed. No version comes again, whoever sees the rows that have it.',
  'core/write/write.ts': 'It counts which of the targets, which were found, are in the relation.',
  'live/trail/trail-store.ts': 'It puts a reader behind the wall that shows of the log what its caller sees.',
  'prismapi/idempotency/still-seen.ts': 'What a caller created is repeated to it, whether a scope hides it or not.',
}

const sources = (...folders: readonly string[]): readonly string[] => folders.flatMap(filesBelow)

const named = (file: string): string => file.replace(/^packages\//, '').replace('/src/', '/')

const filesWith = (pattern: RegExp, files: readonly string[]): readonly string[] =>
  files
    .filter((file) => pattern.test(readFileSync(path.join(root, file), 'utf8')))
    .map(named)
    .sort()

const everywhere = sources(...readdirSync(path.join(root, 'packages')).map((name) => `packages/${name}/src`))

test('rows are read beside the wall by those alone that have a reason', () => {
  const wall = ['core/read/rows.ts']
  const users = filesWith(/\bunscoped\b/, everywhere).filter((file) => !wall.includes(file))
  expect(users).toEqual(Object.keys(reasons).sort())
})

test('nothing between the context of a request and its document has a reader, or chooses a scope', () => {
  const rooms = ['actions', 'auth', 'price', 'read', 'serialize', 'validation', 'write']
  const features = ['direct', 'export', 'kept', 'live', 'openapi', 'pages', 'prismapi', 'query'].map(
    (name) => `packages/${name}/src`,
  )
  const files = sources(...rooms.map((room) => `packages/core/src/${room}`), ...features)
  const wall = ['core/read/rows.ts']
  const others = (pattern: RegExp) => filesWith(pattern, files).filter((file) => !wall.includes(file))
  expect(others(/\bscopes(?:ById|WithDeleted)\b/)).toEqual([])
  // A call in a transaction hands its reader to the wall. The trail looks up what a request names before there is a context. Keys of
  // requests are rows of the framework.
  expect(others(/\b(?:store|transaction)\.reader\b/)).toEqual([
    'direct/perform.ts',
    'live/trail/trail-store.ts',
    'prismapi/idempotency/keys.ts',
  ])
})
