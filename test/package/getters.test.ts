import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const source = path.resolve(import.meta.dirname, '../../packages')
// What runs once, or for a developer who waits for it.
const aside = /^(cli|testing)\//

/** The places where an object literal, which is what stands deeper than a class of a file, has a getter. */
const literalGetters = (file: string): string[] =>
  readFileSync(path.join(source, file), 'utf8')
    .split('\n')
    .flatMap((line, i) => (/^ {3,}get \w+\(\)/.test(line) ? [`packages/${file}:${i + 1}`] : []))

test('no object literal has a getter: V8 would keep what each of them sees', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /^\w+\/src\/.*\.ts$/.test(file),
  )
  expect(files.length).toBeGreaterThan(200)
  expect(files.filter((file) => !aside.test(file)).flatMap(literalGetters)).toEqual([])
})
