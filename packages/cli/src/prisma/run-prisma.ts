import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Runs a command of the project's Prisma, such as `generate`. Returns its complaint; null where it succeeded. */
export function runPrisma(root: string, ...args: readonly string[]): Promise<string | null> {
  const prisma = join(
    dirname(createRequire(join(root, 'package.json')).resolve('prisma/package.json')),
    'build/index.js',
  )
  return new Promise((done) => {
    execFile(process.execPath, [prisma, ...args], { cwd: root }, (error, stdout, stderr) => {
      done(error ? `${stdout}${stderr}`.trim() : null)
    })
  })
}
