import { expect, test } from 'vitest'
import { checkPages } from '../src/compile-pages.ts'

const types = new Map([['posts', null]])

test.each(['7b1fa2', '#7b1', 'red', '#7b1fa2; }', ''])('%j is no colour', (colour) => {
  expect(() => checkPages({ colour }, 'v1', types)).toThrow(
    `pages.colour of server v1: "${colour}" is no colour. Write six hexadecimal digits, such as #7b1fa2.`,
  )
})

test.each(['logo.svg', 'https://example.org/logo.svg', '//example.org/logo.svg', '/\\\\example.org', '/a b', ''])(
  '%j is no path of this origin',
  (logo) => {
    expect(() => checkPages({ logo }, 'v1', types)).toThrow('is no path of this origin. Begin it with one slash.')
  },
)

test('a group of types that the server does not have is told at boot', () => {
  expect(() => checkPages({ groups: { All: ['posts', 'post'] } }, 'v1', types)).toThrow(
    'pages.groups of server v1: "All" names post, which is no type of the server. Remove it, or write one of posts.',
  )
})
