import { readFileSync } from 'node:fs'
import { STATUS_CODES } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { textsFile, textsOfSources, textsSource } from '../../../scripts/texts.ts'
import { french, german } from '../src/index.ts'

/** Words that languages share. */
const shared = new Set([
  'Actions',
  'Details',
  'ID',
  'Menu',
  'Meta',
  'Page',
  'Pages',
  'Relations',
  'Token',
  'Type',
  'Types',
  'UTC',
  'type',
])

const gapsOf = (text: string): readonly string[] => [...new Set(text.match(/\{\d+\}/g))].sort()

test('packages/languages/src/texts.ts has the texts of the sources, as npm run texts writes them', () => {
  expect(readFileSync(textsFile, 'utf8')).toBe(textsSource())
})

test('the list does not depend on the version of Node', () => {
  const texts = textsOfSources()
  onTestFinished(() => {
    delete STATUS_CODES[499]
  })
  STATUS_CODES[499] = 'Client Closed Request'
  expect(textsOfSources()).toEqual(texts)
})

test('in French no line begins with a sign that has a space before it', () => {
  expect(Object.values(french).filter((told) => / [:;?!]/.test(told))).toEqual([])
})

test('in German what is chosen is always called the same', () => {
  expect(Object.values(german).filter((told) => /\bgewähl|[^s]wählen\b/.test(told))).toEqual([])
})

describe.each(Object.entries({ german, french }))('%s', (_, catalogue) => {
  const entries = Object.entries(catalogue)

  test('has all texts, and no others', () => {
    expect(Object.keys(catalogue).sort()).toEqual(textsOfSources())
  })

  test('has the gaps of the English text, and no others', () => {
    expect(entries.filter(([text, told]) => gapsOf(text).join() !== gapsOf(told).join())).toEqual([])
  })

  test('has no text that is still the English one', () => {
    expect(entries.filter(([text, told]) => text === told && !shared.has(text)).map(([text]) => text)).toEqual([])
  })
})
