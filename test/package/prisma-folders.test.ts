import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { filesBelow } from '../../scripts/packages/imports.ts'

// What relies on Prisma stands in one place of each package, so that who looks after another version of Prisma knows where to look.

const root = path.resolve(import.meta.dirname, '../..')

/** The places where Prisma's packages are named, and what they do not promise is relied on. Each has its test in `test/prisma`. */
const places =
  /^(?:cli\/prisma\/|core\/database\/prisma\/|sql\/prisma\/|cli\/assets\/schema-engine\/|jsonapi\/model\/prisma-)/

/** Files elsewhere that name a package of Prisma, and why they may. */
const reasons: Readonly<Record<string, string>> = {
  'cli/assets/application/prisma.config.ts': 'It is a file of a new application.',
  'cli/generator/client-import.ts': 'It writes down which package a client is imported from.',
  'cli/init/empty-folder.ts': 'It looks into a package.json, and installs what is not there.',
  'cli/init/existing-project.ts': 'It writes what a new application installs.',
  'cli/init/main-template.ts': 'It writes what a new application imports.',
  'cli/init/new-application.ts': 'It writes what a new application installs.',
  'cli/init/package-json.ts': 'It tells which version of a package of Prisma fits the others.',
}

/** A package of Prisma, its files, and names of what Prisma keeps to itself. */
const named =
  /['"`]@prisma\/|['"`]prisma\/(?:config|build|package\.json)|[dD]riverAdapterError|PrismaPromise|requestTransaction|prisma\.objectEnumValue/

const withoutComments = (text: string): string => text.replace(/^\s*(?:\/\/|\*|\/\*).*$/gm, '')

const files = ['assets', 'src'].flatMap((folder) =>
  [...new Set(filesBelow('packages').map((file) => file.split('/')[1]))].flatMap((name) =>
    filesBelow(`packages/${name}/${folder}`),
  ),
)

const shortened = (file: string): string => file.replace(/^packages\//, '').replace('/src/', '/')

const relying = files.filter((file) => named.test(withoutComments(readFileSync(path.join(root, file), 'utf8'))))

test('only the places for it name packages of Prisma, of types as well, and what Prisma keeps to itself', () => {
  const found = relying.map(shortened).filter((file) => !places.test(file))
  expect(found.sort()).toEqual(Object.keys(reasons).sort())
})

describe('the tests in test/prisma', () => {
  const tests = filesBelow('test/prisma').map((file) => readFileSync(path.join(root, file), 'utf8'))
  const texts = tests.join('\n')

  test('name each file that relies on Prisma, so that who sees one fail knows what to change', () => {
    // The engine of migrations is asked as a whole.
    const asked = relying.filter((file) => places.test(shortened(file)) && !file.includes('/assets/'))
    const isTold = (file: string) =>
      texts.includes(file) || texts.includes(`@prismapi/${shortened(file).slice(0, -3)}'`)
    expect(asked.filter((file) => !isTold(file))).toEqual([])
    expect(asked.length).toBeGreaterThan(5)
  })

  test('name no file that is not there', () => {
    const told = texts.match(/packages\/[\w./-]+\.ts/g) ?? []
    expect(told.filter((file) => !existsSync(path.join(root, file)))).toEqual([])
  })
})
