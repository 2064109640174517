import { describe, expect, test } from 'vitest'
import { differences } from '../../tools/api-report/compare.ts'
import { entriesOf } from '../../tools/api-report/entries.ts'
import { root } from '../support/documentation/pages.ts'

const report = (name: string): string => `// @public\nexport const ${name}: () => void;\n`

describe('what has changed between two reports', () => {
  test('is nothing where they are the same', () => {
    const reports = new Map([['index.api.md', report('one')]])
    expect(differences(reports, new Map(reports))).toBe('')
  })

  test('is told line by line, with the file that says otherwise', () => {
    const committed = new Map([['index.api.md', report('one')]])
    const made = new Map([['index.api.md', report('two')]])
    expect(differences(committed, made)).toBe(`===================================================================
--- api/index.api.md
+++ the code
@@ -1,2 +1,2 @@
 // @public
-export const one: () => void;
+export const two: () => void;
`)
  })

  test('is an entry that is new, and one that is gone', () => {
    const committed = new Map([['old.api.md', report('one')]])
    const made = new Map([['new.api.md', report('one')]])
    expect(differences(committed, made).match(/^(---|[+-]export) .*$/gm)).toEqual([
      '--- api/new.api.md',
      '+export const one: () => void;',
      '--- api/old.api.md',
      '-export const one: () => void;',
    ])
  })
})

test('every entry of the packages that is code has a report', () => {
  const src = (name: string, file = name) => ({ name, declarations: `prismapi/src/${file}.d.ts` })
  expect(entriesOf(root)).toEqual([
    { specifier: 'prismapi', ...src('index') },
    { specifier: 'prismapi/types', ...src('types') },
    { specifier: 'prismapi/rules', ...src('rules') },
    { specifier: 'prismapi/node', ...src('node') },
    { specifier: 'prismapi/pagination', ...src('pagination') },
    { specifier: 'prismapi/cursor-pagination', ...src('cursor-pagination') },
    { specifier: 'prismapi/sqlite', ...src('sqlite') },
    { specifier: 'prismapi/postgres', ...src('postgres') },
    { specifier: 'prismapi/telemetry', ...src('telemetry', 'telemetry/open-telemetry') },
    { specifier: 'prismapi/features', ...src('features') },
    { specifier: 'prismapi/languages', ...src('languages') },
    { specifier: '@prismapi/testing', name: 'testing', declarations: 'testing/src/index.d.ts' },
    { specifier: '@prismapi/testing/kit', name: 'testing-kit', declarations: 'testing/src/kit/index.d.ts' },
  ])
})
