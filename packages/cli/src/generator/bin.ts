#!/usr/bin/env node
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { answerPrisma } from '../prisma/generator-protocol.ts'
import { type GeneratedFile, planFile } from './generate.ts'

await answerPrisma({
  manifest: () => ({ prettyName: 'prismapi resources', defaultOutput: './generated' }),
  generate: (options) => writeChanged(planFile(options)),
})

// A file that stays as it is keeps its time stamp: no watcher restarts for nothing.
async function writeChanged({ path, text }: GeneratedFile): Promise<void> {
  if ((await currentText(path)) === text) return
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}

async function currentText(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
