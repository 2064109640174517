import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Everything } from '../support/generate-everything.ts'
import { makeProject, type Project } from '../support/generator-project.ts'

const root = resolve(import.meta.dirname, '../..')
const driver = 'test/support/generate-everything.ts'
const throughTsx = ['--conditions=prismapi/source', '--import', 'tsx']

describe.each([
  ['the example', 'example', 6],
  ['a schema of odd names and types', 'cli/schema.prisma', 10],
  ['a schema with everything odd in it', 'generator/postgres.prisma', 11],
])('every file for every model of %s', (_name, schema, models) => {
  let project: Project
  let everything: Everything
  let files: string[]

  beforeAll(async () => {
    project = await makeProject(schema)
    await project.write(driver, await readFileOf(driver))
    const { code, output } = await project.run(...throughTsx, driver)
    if (code !== 0) throw new Error(output)
    everything = JSON.parse(output)
    files = Object.values(everything.said).flatMap((said) =>
      [...said.matchAll(/created (\S+)/g)].map(([, file]) => file as string),
    )
  })
  afterAll(() => project.remove())

  test('is written by its command, found by its name, and served', () => {
    const complaints = Object.entries(everything.said).filter(([, said]) => !/^0 (created \S+\n?)+$/.test(said))
    expect(complaints).toEqual([])
    expect(files).toHaveLength(2 + models * 9)
  })

  test('compiles, and so does what it holds in comments', async () => {
    const sources = await Promise.all(files.map(project.read))
    for (const [i, source] of sources.entries()) await project.write(`open/${i}.ts`, opened(source))
    expect(sources.filter((source) => opened(source) !== source).length).toBeGreaterThan(models * 6)
    const user = schema === 'example' ? 'src/app/auth.ts' : 'src/app/user.ts'
    const include = [...files, 'open', 'prisma/generated/resources.ts', user]
    await project.write('tsconfig.json', JSON.stringify({ extends: join(root, 'tsconfig.json'), include, exclude: [] }))
    expect(await project.run(join(root, 'node_modules/typescript/bin/tsc'), '-p', '.')).toEqual({ code: 0, output: '' })
  })

  test('is as Biome would write it', async () => {
    const { vcs: _, files: __, ...config } = JSON.parse(await readFileOf('biome.json'))
    await project.write('biome.json', JSON.stringify(config))
    const biome = join(root, 'node_modules/@biomejs/biome/bin/biome')
    const check = await project.run(biome, 'check', '--error-on-warnings', ...files)
    expect(check.output).toMatch(/^Checked \d+ files in \S+ No fixes applied\.\s*$/)
    expect(check.output).toContain(`Checked ${files.length} files`)
  })

  test('asks of clients what inference asks', () => {
    expect(Object.keys(everything.rules)).toHaveLength(models)
    for (const { inferred, generated } of Object.values(everything.rules))
      expect(generated).toEqual(withoutLinksOfOthers(inferred, generated))
  })
})

type Rules = readonly Readonly<Record<string, { readonly rule?: string }>>[]

/** A generated class leaves out the relations whose links are kept in rows of another type. */
const withoutLinksOfOthers = (inferred: unknown, generated: unknown): unknown =>
  (inferred as Rules).map((rules, i) =>
    Object.fromEntries(
      Object.entries(rules).filter(
        ([name, { rule }]) => name in ((generated as Rules)[i] ?? {}) || (rule !== 'toMany' && rule !== 'toOne'),
      ),
    ),
  )

const readFileOf = (path: string): Promise<string> => readFile(join(root, path), 'utf8')

const rules = ['notSupported', 'string']

/** With its code taken out of the comments, and what that uses imported. */
function opened(source: string): string {
  const open = source.replace(/^( *)\/\/ (?=override |this\.|phase\.|can\(|'|[\w']+: )/gm, '$1')
  const [imports = ''] = open.split('\n\n')
  const missing = rules.filter((name) => open.includes(`${name}(`) && !imports.includes(name))
  return missing.length > 0 ? `import { ${missing.join(', ')} } from 'prismapi'\n${open}` : open
}
