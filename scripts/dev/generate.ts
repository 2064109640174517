import { execFile } from 'node:child_process'
import { join } from 'node:path'

/** `prisma generate`: what it complained of, or null when all went well. */
export function generate(root: string): Promise<string | null> {
  const prisma = join(root, 'node_modules/prisma/build/index.js')
  return new Promise((done) => {
    execFile(process.execPath, [prisma, 'generate'], { cwd: root }, (error, stdout, stderr) => {
      done(error ? `${stdout}${stderr}`.trim() : null)
    })
  })
}
