import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { barsOf } from '../../../../scripts/bench/bars.ts'
import { tablesOf } from '../../../../scripts/bench/figures.ts'

const read = (file: string) => readFileSync(new URL(`../../../../${file}`, import.meta.url), 'utf8')

test('the documentation tells the figures of the last run, as the benchmark writes them', () => {
  const saved = JSON.parse(read('scripts/bench/results.json'))
  expect(read('docs/performance.md')).toContain(tablesOf(saved))
})

test('a picture has a bar for each value, as long as the value is large', () => {
  const groups = [
    {
      name: 'a <page>',
      bars: [
        { name: 'this', value: 2 },
        { name: 'that', value: 1 },
      ],
    },
  ]
  const picture = barsOf({ title: 'Speed & size', unit: '×', groups })
  const widths = [...picture.matchAll(/<rect class="bar-\d" x="210" y="(?:64|78)" width="([\d.]+)"/g)].map(
    ([, width]) => Number(width),
  )
  expect(widths).toEqual([470, 235])
  expect(picture).toContain('<title id="title">Speed &amp; size</title>')
  expect(picture).toContain('a &lt;page>')
  expect(picture).toContain('2.00×')
})
