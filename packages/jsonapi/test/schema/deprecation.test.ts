import { expect, test } from 'vitest'
import { checkDeprecation, type Deprecation, endingOf } from '../../src/schema/deprecation.ts'

test.each<[string, Deprecation]>([
  ['a day', { since: '2026-01-01' }],
  ['a day that is a leap year\u2019s', { since: '2024-02-29', sunset: '2024-02-29' }],
  [
    'instants and a page',
    { since: '2026-01-01T12:00:00Z', sunset: '2026-01-01T13:30:00+01:00', link: 'https://a.example' },
  ],
])('%s can be said', (_name, declared) => {
  expect(checkDeprecation('deprecated', declared)).toEqual(declared)
})

test('nothing need be said', () => expect(checkDeprecation('deprecated', undefined)).toBeNull())

test.each<[string, Deprecation, string]>([
  ['a word', { since: 'soon' }, 'Post: deprecated.since: "soon" is no date. Write a day, 2026-01-01, or an instant'],
  ['a day of no month', { since: '2026-02-30' }, 'Post: deprecated.since: "2026-02-30" is no date.'],
  ['an instant of nowhere', { since: '2026-01-01T12:00:00' }, '"2026-01-01T12:00:00" is no date.'],
  ['a sunset that is none', { since: '2026-01-01', sunset: '' }, 'Post: deprecated.sunset: "" is no date.'],
  [
    'a sunset before its day',
    { since: '2026-01-02', sunset: '2026-01-01' },
    'Post: deprecated: the sunset 2026-01-01 is before 2026-01-02, since when it is deprecated. Name a later one.',
  ],
  ['a path', { since: '2026-01-01', link: '/docs' }, 'Post: deprecated.link: "/docs" is no absolute URL.'],
])('%s is refused at boot', (_name, declared, message) => {
  expect(() => checkDeprecation('Post: deprecated', declared)).toThrow(message)
})

test('several end with the first of them, and lead to each page once', () => {
  const a = { since: '2026-02-01', sunset: '2027-01-01T00:00:00+02:00', link: 'https://a.example' }
  const b = { since: '2026-01-31T23:30:00-01:00', sunset: '2027-01-01' }
  expect(endingOf([a, b, a, { since: '2026-03-01', link: 'https://b.example' }])).toEqual({
    since: '2026-02-01',
    sunset: '2027-01-01T00:00:00+02:00',
    links: ['https://a.example', 'https://b.example'],
  })
  expect(endingOf([])).toBeNull()
})
