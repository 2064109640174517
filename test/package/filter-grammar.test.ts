import { expect, test } from 'vitest'
import { fencesOf } from '../support/documentation/fences.ts'
import { documented } from '../support/query-table.ts'

const [grammar] = fencesOf('docs/profiles/filter.md').filter(({ language }) => language === 'text')
const rules = new Map(
  (grammar?.code ?? '')
    .trim()
    .split('\n')
    .map((line) => line.split(/ += /) as [string, string]),
)

// The page says of these in words what they are.
const inWords: Readonly<Record<string, string>> = { name: '[\\w-]+', operator: '[a-zA-Z]+' }

/** The regular expression that a rule of ABNF is, as far as the page uses it. */
function expressionOf(rule: string): string {
  const closing: string[] = []
  const open = (close: string): string => {
    closing.push(close)
    return '(?:'
  }
  const tokens = rules.get(rule)?.match(/"[^"]*"|\*\(|1\*4DIGIT|[()[\]/]|\w+/g) ?? []
  const parts = tokens.map((token) => {
    if (token.startsWith('"')) return token.slice(1, -1).replaceAll(/[[\].]/g, '\\$&')
    if (token === '1*4DIGIT') return '\\d{1,4}'
    if (token === '*(') return open(')*')
    if (token === '(') return open(')')
    if (token === '[') return open(')?')
    if (token === ')' || token === ']') return closing.pop()
    if (token === '/') return '|'
    return inWords[token] ?? `(?:${expressionOf(token)})`
  })
  return parts.join('')
}

const key = new RegExp(`^${expressionOf('key')}$`)

test('every filter that docs/queries.md shows has a key of the grammar', () => {
  const keys = documented.flatMap(({ url }) => [...new URL(url, 'http://localhost').searchParams.keys()])
  expect(keys.length).toBeGreaterThan(30)
  // The page names these beside the grammar.
  expect(keys.filter((each) => !key.test(each))).toEqual(['filter[id][0]', 'filter[id][1]', 'filter'])
})

test.each([
  'filter',
  'filter[]',
  'filter[a][b][c]',
  'filter[or][title]x',
  'filter[or][12345][a]',
  'filter[a..b]',
  'sort[a]',
])('%s is no key of the grammar', (each) => {
  expect(key.test(each)).toBe(false)
})
