import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cachedParse } from '../src/prisma/parse-cache.ts'

let root: string
let manifest: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'packages-'))
  mkdirSync(join(root, 'prisma'))
  manifest = join(root, 'prisma/package.json')
  writeFileSync(manifest, '{ "version": "7.0.0" }')
})
afterEach(() => rmSync(root, { recursive: true }))

const parse = vi.fn((files: readonly string[]) => ({ of: files }))
beforeEach(() => void parse.mockClear())
const parsed = (...files: readonly string[]) => cachedParse(manifest, files, () => parse(files))

test('the same text is parsed once', () => {
  expect([parsed('model A'), parsed('model A')]).toEqual([{ of: ['model A'] }, { of: ['model A'] }])
  expect(parse).toHaveBeenCalledTimes(1)
})

test('another text is parsed, and so is the same one by another version of Prisma', () => {
  expect([parsed('model A'), parsed('model B')]).toEqual([{ of: ['model A'] }, { of: ['model B'] }])
  writeFileSync(manifest, '{ "version": "7.0.1" }')
  expect(parsed('model B')).toEqual({ of: ['model B'] })
  expect(parse).toHaveBeenCalledTimes(3)
})

test('what is kept and cannot be read is parsed again', () => {
  parsed('model A')
  writeFileSync(join(root, '.cache/prismapi/schema.json'), '{ "key": ')
  expect([parsed('model A'), parsed('model A')]).toEqual([{ of: ['model A'] }, { of: ['model A'] }])
  expect(parse).toHaveBeenCalledTimes(2)
})

test('a parser that fails is asked again', () => {
  parse.mockImplementationOnce(() => {
    throw new Error('no model')
  })
  expect(() => parsed('model')).toThrow('no model')
  expect(parsed('model')).toEqual({ of: ['model'] })
})

test('packages that cannot be written to, and those without Prisma, are parsed for each time', () => {
  writeFileSync(join(root, '.cache'), 'a file in the way of the folder')
  expect([parsed('model A'), parsed('model A')]).toEqual([{ of: ['model A'] }, { of: ['model A'] }])
  expect(cachedParse(null, ['model A'], () => parse(['model A']))).toEqual({ of: ['model A'] })
  expect(parse).toHaveBeenCalledTimes(3)
})
