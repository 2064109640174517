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

test('every entry of package.json that is code has a report', () => {
  expect(entriesOf(root)).toEqual([
    { specifier: 'prismapi', name: 'index', declarations: 'index.d.ts' },
    {
      specifier: 'prismapi/cursor-pagination',
      name: 'cursor-pagination',
      declarations: 'pagination/cursor-pagination.d.ts',
    },
    { specifier: 'prismapi/sqlite', name: 'sqlite', declarations: 'database/sqlite.d.ts' },
    { specifier: 'prismapi/postgres', name: 'postgres', declarations: 'database/postgres.d.ts' },
    { specifier: 'prismapi/telemetry', name: 'telemetry', declarations: 'telemetry/open-telemetry.d.ts' },
    { specifier: 'prismapi/languages', name: 'languages', declarations: 'languages/index.d.ts' },
    { specifier: 'prismapi/testing', name: 'testing', declarations: 'testing/index.d.ts' },
    { specifier: 'prismapi/testing/kit', name: 'testing-kit', declarations: 'testing/kit/index.d.ts' },
  ])
})
