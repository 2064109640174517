import { expect, test } from 'vitest'
import { parseComment } from '../../src/generator/annotations.ts'

const parsed = (documentation: string | undefined) => {
  const { annotations, misspelt, text } = parseComment(documentation)
  return { annotations: [...annotations], misspelt: misspelt.map(({ word, meant }) => `${word} → ${meant}`), text }
}
const plain = (text: string | null) => ({ annotations: [], misspelt: [], text })

test('no comment has no annotations and no text', () => {
  expect(parsed(undefined)).toEqual(plain(null))
})

test('an annotation is taken out of the text, with what its line says after it', () => {
  expect(parsed('The hash.\n@hidden for safety\n\nNever logged.')).toEqual({
    annotations: ['hidden'],
    misspelt: [],
    text: 'The hash.\n\nNever logged.',
  })
})

test('a comment of annotations alone leaves no text', () => {
  expect(parsed('  @readOnly  \n')).toEqual({ annotations: ['readOnly'], misspelt: [], text: null })
})

test('several annotations stand on one line or on several', () => {
  expect(parsed('@hidden @readOnly').annotations).toEqual(['hidden', 'readOnly'])
  expect(parsed('@hidden\n@writeOnly').annotations).toEqual(['hidden', 'writeOnly'])
})

test('a block comment loses its stars', () => {
  expect(parsed('* A person.\n * Or a robot.')).toEqual(plain('A person.\nOr a robot.'))
  expect(parsed('*\n   Without stars.\n   @hidden')).toEqual({
    annotations: ['hidden'],
    misspelt: [],
    text: 'Without stars.',
  })
})

test('an annotation is found behind the star of a block comment, wherever the star stands', () => {
  expect(parsed('* Never shown.\n   * @hidden').annotations).toEqual(['hidden'])
  expect(parsed('* Never shown.\n* @hidden').annotations).toEqual(['hidden'])
  expect(parsed('*@hidden').annotations).toEqual(['hidden'])
})

test('a list in a /// comment keeps its stars, and bold text too', () => {
  expect(parsed('* one\n* two')).toEqual(plain('* one\n* two'))
  expect(parsed('**Bold** and *not*')).toEqual(plain('**Bold** and *not*'))
})

test.each([
  ['@Hidden', 'hidden'],
  ['@hiden', 'hidden'],
  ['@hiddne', 'hidden'],
  ['@readonly', 'readOnly'],
  ['@read-only', 'readOnly'],
  ['@READ_ONLY', 'readOnly'],
  ['@writeonly', 'writeOnly'],
  ['@writOnly', 'writeOnly'],
  ['@jsonapi.hidden', 'hidden'],
  ['@prismapi.readonly', 'readOnly'],
])('%s is a misspelling of @%s', (line, meant) => {
  expect(parsed(line)).toEqual({ annotations: [], misspelt: [`${line.slice(1)} → ${meant}`], text: null })
})

test('a misspelling beside an annotation is found too', () => {
  expect(parsed('@readOnly @hiden')).toEqual({ annotations: ['readOnly'], misspelt: ['hiden → hidden'], text: null })
})

test.each([
  '@deprecated use `contacts`',
  '@param name who',
  '@see https://example.com',
  '@example 42',
  '@internal',
  '@HideField()',
  '@joe wrote this',
  '@other.hidden',
  'joe@hidden.org',
  'mail @hidden to',
  '@',
])('%j is text', (line) => {
  expect(parsed(line)).toEqual(plain(line))
})
