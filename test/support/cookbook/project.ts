import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { applicationFiles, type NewProvider } from '@prismapi/cli/init/new-application'
import { forPostgres } from '@prismapi/cli/init/schema-blocks'
import { type Generated, generateIn } from '../any-schema/generate.ts'
import { writeBelow } from '../clone.ts'
import type { Fence } from '../documentation/fences.ts'
import type { RecipePage } from './page.ts'

const root = path.resolve(import.meta.dirname, '../../..')

/** An application: that of the example, or one that `init` makes, with models of its own; and the files of a page. */
export interface RecipeProject {
  readonly folder: string
  /** What was generated for its own models; null for those of the example. */
  readonly generated: Generated | null
  /** What tsc says of the page's files, with places on the page. */
  compile(): readonly string[]
  remove(): void
}

export async function makeRecipeProject(
  { files, models }: RecipePage,
  provider: NewProvider = 'sqlite',
): Promise<RecipeProject> {
  // Inside the package, or `prismapi` would not be found; a dot keeps tsc and vitest away from it.
  const folder = mkdtempSync(path.join(root, 'test/.tmp-'))
  const generated = models === null ? copyExample(folder) : await startAnew(folder, models, provider)
  for (const { says, code } of files) writeBelow(folder, says.write as string, patient(says.write as string, code))
  return {
    folder,
    generated,
    compile: () => compile(folder, files),
    remove: () => rmSync(folder, { recursive: true }),
  }
}

/** A machine that is busy ends no transaction of a recipe, in whatever process. On the same line: those of the page keep their numbers. */
const patient = (name: string, code: string): string =>
  name === 'src/app/api.ts'
    ? code.replace('    logger,\n', '    logger, transactions: { timeout: 60_000, holdMilliseconds: 60_000 },\n')
    : code

function copyExample(folder: string): null {
  for (const name of ['src/app', 'policies', 'requests', 'prisma/seed.ts', 'prisma/seed-rows.ts'])
    cpSync(path.join(root, name), path.join(folder, name), { recursive: true })
  symlinkSync(path.join(root, 'prisma/generated'), path.join(folder, 'prisma/generated'))
  return null
}

async function startAnew(folder: string, models: string, provider: NewProvider): Promise<Generated> {
  const made = applicationFiles(provider)
  const schema = made.get('prisma/schema.prisma') as string
  const [generators = ''] = /^[\s\S]*?datasource db \{[\s\S]*?\n\}\n/.exec(schema) ?? []
  const [keys = ''] = /\/\/\/ @hidden\n[^\n]*\nmodel IdempotencyKey [\s\S]*$/.exec(schema) ?? []
  const generator = `node --conditions=prismapi/source --import tsx ${path.join(root, 'packages/cli/src/generator/bin.ts')}`
  const here = generators.replace('prisma-generator-resources', generator)
  // As a page has its reader write them.
  const own = provider === 'sqlite' ? models : forPostgres('prisma/schema.prisma', models)
  const generated = await generateIn(path.join(folder, 'prisma'), `${here}\n${own}\n${keys}`)
  // With these, `prismapi` would not be this package.
  for (const name of ['package.json', 'node_modules']) rmSync(path.join(folder, 'prisma', name))
  // What is about the models of `init` goes with them.
  for (const [name, text] of made) if (/^src\/app\/[^/]+$/.test(name)) writeBelow(folder, name, patient(name, text))
  return generated
}

function compile(folder: string, files: readonly Fence[]): readonly string[] {
  const own = files.filter(({ language }) => language === 'ts')
  const named = [...own.map(({ says }) => says.write), 'src/app/main.ts', 'prisma/generated/resources.ts']
  const config = { extends: '../../tsconfig.json', files: named, include: [], exclude: [] }
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(config))
  return (
    tsc(folder)
      .split('\n')
      // What is wrong in the framework itself is not the page's.
      .filter((line) => line.includes(': error ') && !line.startsWith('../../'))
      .map((line) => toPlace(line, own))
  )
}

/** `src/app/v1/server.ts(3,7): error …` as a line of the page. */
function toPlace(line: string, files: readonly Fence[]): string {
  const [, file, row, message] = /^(\S+)\((\d+),\d+\)(.*)$/.exec(line) ?? []
  const fence = files.find(({ says }) => says.write !== undefined && file?.endsWith(says.write))
  return fence ? `${fence.page}:${fence.line + Number(row) - 1}${message}` : line
}

function tsc(folder: string): string {
  try {
    return execFileSync(path.join(root, 'node_modules/.bin/tsc'), ['-p', folder, '--pretty', 'false'], {
      cwd: folder,
      encoding: 'utf8',
    })
  } catch (error) {
    return (error as { stdout: string }).stdout
  }
}
