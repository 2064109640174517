import { JsonApiError } from '@prismapi/jsonapi/document/error'
import { describe, expect, test } from 'vitest'
import { checkAccept, checkContentType } from '../../src/http/negotiation.ts'

const MT = 'application/vnd.api+json'
const none = { ext: [], profile: [] }
const known = { ext: ['https://e.test/a'], profile: ['https://p.test/a', 'https://p.test/b'] }

const statusOf = (act: () => unknown): number => {
  try {
    act()
    return 200
  } catch (error) {
    if (error instanceof JsonApiError) return error.status
    throw error
  }
}

describe('Accept', () => {
  test.each([
    [undefined],
    [''],
    [' , '],
    ['*/*'],
    ['application/*'],
    [MT],
    ['Application/VND.API+JSON'],
    [`text/html, ${MT};q=0.1`],
    [`${MT};q=0.9`],
    [`${MT} ; Q=1.000`],
    [`${MT};charset=utf-8, ${MT}`],
    [`${MT};a="x,y;\\"z, w", ${MT}`],
    ['text/html, image/gif, *; q=.2, */*; q=.2'],
    ['application/json, text/plain, */*'],
    ['text/html;level="a,b", */*;q=0.8'],
  ])('1.0 and 1.1 accept %s', (header) => {
    expect([checkAccept(header, '1.0'), checkAccept(header, '1.1')]).toEqual([none, none])
  })

  test.each([
    ['application/json'],
    ['text/html'],
    ['text/*'],
    [`${MT};charset=utf-8`],
    [`${MT};CharSet=utf-8`],
    [`${MT};q=0.5;charset=utf-8`],
    [`${MT};a="x, ${MT}"`],
    [`${MT};a=1, ${MT};b=2`],
    [`${MT};charset=utf-8, */*`],
    [`${MT};q=0`],
    [`${MT};q=0.0, */*`],
    [`${MT};q=2`],
    [`${MT};q=`],
    ['*/*;q=0'],
    ['application/*;q=0, */*'],
    ['application/*;v=1'],
    [`${MT}x`],
    [`x${MT}`],
    ['garbage'],
    [`"${MT}"`],
    [`${MT};ext="https://e.test/unknown"`],
  ])('1.0 and 1.1 refuse %s with 406', (header) => {
    expect([statusOf(() => checkAccept(header, '1.0')), statusOf(() => checkAccept(header, '1.1'))]).toEqual([406, 406])
  })

  test('1.0 refuses ext and profile, even known ones', () => {
    const headers = [`${MT};profile="https://p.test/a"`, `${MT};ext="https://e.test/a"`]
    expect(headers.map((header) => statusOf(() => checkAccept(header, '1.0', known)))).toEqual([406, 406])
  })

  test.each([
    [`${MT};profile="https://x.test/ https://y.test/;a,b"`, none],
    [
      `${MT};profile="https://p.test/b https://x.test/ https://p.test/a"`,
      { ext: [], profile: known.profile.toReversed() },
    ],
    [`${MT};ext="https://e.test/a"`, { ext: known.ext, profile: [] }],
    [`${MT};ext="https://e.test/a https://e.test/no", ${MT}`, none],
    [`${MT};q=0.5, ${MT};q=0.8;ext="https://e.test/a"`, { ext: known.ext, profile: [] }],
    [`${MT};ext=""`, none],
  ])('1.1 takes %s', (header, applied) => {
    expect(checkAccept(header, '1.1', known)).toEqual(applied)
  })

  test('1.1 refuses an extension it does not know, even beside one it knows', () => {
    expect(statusOf(() => checkAccept(`${MT};ext="https://e.test/a https://e.test/no"`, '1.1', known))).toBe(406)
  })
})

describe('Content-Type', () => {
  test.each([[MT], ['Application/VND.API+JSON'], [` ${MT} `], [`${MT};`]])('1.0 and 1.1 read %s', (header) => {
    expect([checkContentType(header, '1.0'), checkContentType(header, '1.1')]).toEqual([none, none])
  })

  test.each([
    [undefined],
    [''],
    ['application/json'],
    [`${MT};charset=utf-8`],
    [`${MT}; CharSet="utf-8"`],
    [`${MT};foo=bar`],
    [`${MT};q=1`],
    [`${MT};foo`],
    [`${MT};foo="`],
    [`${MT}, ${MT}`],
    [`${MT};profile="https://p.test/a";charset=utf-8`],
    [`${MT};ext="https://e.test/no"`],
    [`${MT};ext="https://e.test/a https://e.test/no"`],
  ])('1.0 and 1.1 refuse %s with 415', (header) => {
    expect([
      statusOf(() => checkContentType(header, '1.0', known)),
      statusOf(() => checkContentType(header, '1.1', known)),
    ]).toEqual([415, 415])
  })

  test('1.0 refuses ext and profile', () => {
    const headers = [`${MT};profile="https://p.test/a"`, `${MT};ext="https://e.test/a"`]
    expect(headers.map((header) => statusOf(() => checkContentType(header, '1.0', known)))).toEqual([415, 415])
  })

  test('1.1 names the extensions and the known profiles; unknown profiles are ignored', () => {
    const header = `${MT}; ext="https://e.test/a"; profile="https://x.test/ https://p.test/a"`
    expect(checkContentType(header, '1.1', known)).toEqual({ ext: known.ext, profile: ['https://p.test/a'] })
  })
})

test('a hostile header costs no time', () => {
  const started = performance.now()
  const headers = [
    '"\\'.repeat(8000),
    `${MT};a="${'\\'.repeat(16000)}`,
    ';'.repeat(16000),
    `${MT};${'a="b";'.repeat(2500)}`,
  ]
  expect(headers.map((header) => statusOf(() => checkAccept(header, '1.1')))).toEqual([406, 406, 406, 406])
  expect(performance.now() - started).toBeLessThan(2000)
})
