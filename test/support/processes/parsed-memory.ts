import { parsedSize } from '@prismapi/core/http/request/parsed-size'

// Prints how many times its bytes a megabyte of JSON takes when it is parsed, with the text that is parsed, and whether a server refuses
// it: for lists of values of many kinds, and dictionaries. `node --expose-gc` runs it.

declare const gc: () => void

const megabyte = 2 ** 20

const kinds: Readonly<Record<string, (nth: number) => string>> = {
  'empty objects': () => '{}',
  'empty objects among texts': () => '{},"aaaa"',
  'empty objects among long texts': (nth) => `{},"${String(nth).padStart(9, 'a')}"`,
  'empty arrays': () => '[]',
  'arrays in each other': () => '[[[]]]',
  'objects of one member': () => '{"a":1}',
  'objects of two members': () => '{"x":1,"y":2}',
  'objects in each other': () => `${'{"a":'.repeat(50)}1${'}'.repeat(50)}`,
  'names of their own': (nth) => `{"${nth.toString(36)}":1}`,
  'long names of their own': (nth) => `{"${String(nth).padStart(40, 'n')}":1}`,
  'names in any order': (nth) => `{${[...String(nth)].map((each, i) => `"${each}${i}":1`)}}`,
  numbers: () => '1.5',
  'small numbers': () => '1',
  places: () => '[13.404954,52.520008]',
  texts: (nth) => `"${(nth % 46_656).toString(36)}"`,
  'texts beyond Latin-1': (nth) => `"€${nth}"`,
  'texts of one character': (nth) => (nth % 2 ? '"x"' : '"o"'),
  'pairs of numbers': () => '[1,2]',
  'names that have one hash in Java': (nth) => `{"${colliding(nth)}":1}`,
  'a hundred names of their own': (nth) => `{${Array.from({ length: 100 }, (_, i) => `"${nth}-${i}":1`)}}`,
  'two hundred names of their own': (nth) => `{${Array.from({ length: 200 }, (_, i) => `"${nth}-${i}":1`)}}`,
  'an integer as a name': () => '{"1234":1}',
  'integers as names': (nth) => `{"${nth}":1,"${7 * nth}":1,"${99 * nth}":1}`,
  'fifty integers as names': (nth) => `{${Array.from({ length: 50 }, (_, i) => `"${nth + i * 1000}":1`)}}`,
  identifiers: (nth) => `{"type":"tags","id":"${nth % 10_000}"}`,
}

/** Of one object. */
const members: Readonly<Record<string, (nth: number) => string>> = {
  'a dictionary': (nth) => `"menu.open.${nth}":"Open"`,
  'a dictionary of short names': (nth) => `"${nth.toString(36)}":1`,
  'a dictionary of integers': (nth) => `"${nth}":1`,
  'a dictionary of identifiers': (nth) => `"${nth + 1234}":"abc"`,
  'a dictionary of sparse integers': (nth) => `"${nth * 9999}":1`,
}

const colliding = (nth: number) =>
  [...nth.toString(3).padStart(10, '0')].map((each) => ['Aa', 'BB', 'C#'][Number(each)]).join('')

function filled([start, end]: readonly [string, string], made: (nth: number) => string): Buffer {
  const values: string[] = []
  for (let nth = 0, length = 2; ; nth++) {
    const value = made(nth)
    length += value.length + 1
    if (length > megabyte) return Buffer.from(`${start}${values.join()}${end}`)
    values.push(value)
  }
}

function used(): number {
  gc()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

const texts = [
  ...Object.entries(kinds).map(([name, made]) => [name, filled(['[', ']'], made)] as const),
  ...Object.entries(members).map(([name, made]) => [name, filled(['{', '}'], made)] as const),
]
const told = texts.map(([name, bytes]) => {
  const before = used()
  const text = bytes.toString()
  const value: unknown = JSON.parse(text)
  const times = (used() - before + bytes.length) / bytes.length
  const most = 6.5 * bytes.length
  const isRefused = parsedSize(bytes, { size: most, depth: 1000 }).size > most
  // They are kept until here.
  return [name, { times: text === value ? 0 : Number(times.toFixed(1)), isRefused }]
})
console.log(JSON.stringify(Object.fromEntries(told)))
