import { execFile } from 'node:child_process'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

export interface Said {
  readonly failed: boolean
  readonly stdout: string
  readonly stderr: string
}

/** Runs Prisma's command line in this repository, and says what it said. */
export function prismaCli(...args: readonly string[]): Promise<Said> {
  const prisma = join(root, 'node_modules/prisma/build/index.js')
  const options = { cwd: root, env: { ...process.env, NO_COLOR: '1', PRISMA_HIDE_UPDATE_MESSAGE: '1' } }
  return new Promise((done) => {
    execFile(process.execPath, [prisma, ...args], options, (error, stdout, stderr) => {
      done({ failed: error !== null, stdout, stderr })
    })
  })
}
