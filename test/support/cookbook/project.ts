import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type Generated, generateIn } from '../any-schema/generate.ts'
import { writeBelow } from '../clone.ts'
import type { Fence } from '../documentation/fences.ts'
import type { RecipePage } from './page.ts'

const root = path.resolve(import.meta.dirname, '../../..')

/** What of `src/app` is about the example's models; the rest every application takes over. */
const examplesOwn = ['password.ts', 'serving.ts']

/** An application: that of the example, or one with models of its own, and the files of a page. */
export interface RecipeProject {
  readonly folder: string
  /** What was generated for its own models; null for those of the example. */
  readonly generated: Generated | null
  /** What tsc says of the page's files, with places on the page. */
  compile(): readonly string[]
  remove(): void
}

export async function makeRecipeProject({ files, models }: RecipePage): Promise<RecipeProject> {
  // Inside the package, or `prismapi` would not be found; a dot keeps tsc and vitest away from it.
  const folder = mkdtempSync(path.join(root, 'test/.tmp-'))
  const generated = models === null ? copyExample(folder) : await startAnew(folder, models)
  for (const { says, code } of files) writeBelow(folder, says.write as string, code)
  return {
    folder,
    generated,
    compile: () => compile(folder, files),
    remove: () => rmSync(folder, { recursive: true }),
  }
}

function copyExample(folder: string): null {
  for (const name of ['src/app', 'policies', 'requests', 'prisma/seed.ts', 'prisma/seed-rows.ts'])
    cpSync(path.join(root, name), path.join(folder, name), { recursive: true })
  symlinkSync(path.join(root, 'prisma/generated'), path.join(folder, 'prisma/generated'))
  return null
}

async function startAnew(folder: string, models: string): Promise<Generated> {
  const example = readFileSync(path.join(root, 'prisma/schema.prisma'), 'utf8')
  const [generators = ''] = /^[\s\S]*?datasource db \{[\s\S]*?\n\}\n/.exec(example) ?? []
  const here = generators.replace('src/generator/bin.ts', path.join(root, 'src/generator/bin.ts'))
  const generated = await generateIn(path.join(folder, 'prisma'), `${here}\n${models}`)
  // With these, `prismapi` would not be this package.
  for (const name of ['package.json', 'node_modules']) rmSync(path.join(folder, 'prisma', name))
  mkdirSync(path.join(folder, 'src/app'), { recursive: true })
  const common = readdirSync(path.join(root, 'src/app')).filter((name) => name.endsWith('.ts'))
  for (const name of common.filter((each) => !examplesOwn.includes(each)))
    cpSync(path.join(root, 'src/app', name), path.join(folder, 'src/app', name))
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
