import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Fence } from './fences.ts'
import { root } from './pages.ts'

type Source = Pick<Fence, 'page' | 'line' | 'code'>

/** What tsc says of sources, each a whole file, with the places that they stand at. */
export function compile(sources: readonly Source[]): string[] {
  // Inside the package, or `prismapi` would not be found; a dot keeps tsc and vitest away from it.
  const folder = mkdtempSync(path.join(root, 'test/.tmp-'))
  try {
    for (const [i, { code }] of sources.entries()) writeFileSync(path.join(folder, `${i}.ts`), code)
    const files = sources.map((_, i) => `${i}.ts`)
    const registered = ['../../src/app/auth.ts', '../../prisma/generated/resources.ts']
    const config = { extends: '../../tsconfig.json', files: [...files, ...registered], include: [], exclude: [] }
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(config))
    return toPlaces(run('node_modules/.bin/tsc', ['-p', folder, '--pretty', 'false']), sources)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function run(command: string, args: readonly string[]): string {
  try {
    return execFileSync(path.join(root, command), args, { cwd: root, encoding: 'utf8' })
  } catch (error) {
    return (error as { stdout: string }).stdout
  }
}

const toPlaces = (output: string, sources: readonly Source[]): string[] =>
  [...output.matchAll(/^\S*\/(\d+)\.ts\((\d+),\d+\)(.*)$/gm)].map(([, index, line, message]) => {
    const { page, line: start } = sources[Number(index)] as Source
    return `${page}:${start + Number(line) - 1}${message}`
  })
