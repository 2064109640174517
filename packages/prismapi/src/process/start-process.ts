import { lookUpLine } from '@prismapi/jsonapi/model/look-up'
import { missingFile } from '@prismapi/jsonapi/model/missing-file'

/**
 * Runs the main function of a process. If it fails, the process prints the error's message without its stack to stderr,
 * and exits with code 1. Import what Prisma generates inside of the function, so that a start before
 * `npx prisma generate` prints that, too.
 *
 * @example
 * import Koa from 'koa'
 * import pino from 'pino'
 *
 * await startProcess(async () => {
 *   const { resources } = await import('../../prisma/generated/resources.ts')
 *   const names = Object.keys(resources.models)
 *   const app = new Koa().use((ctx) => void (ctx.body = names))
 *   await serve(() => app.callback(), { host: '127.0.0.1', port: 3000, logger: pino(), close: async () => {} })
 * })
 */
export async function startProcess(main: () => Promise<void>): Promise<void> {
  try {
    await main()
  } catch (error) {
    console.error(missingFile(error) ?? (error instanceof Error ? error.message : String(error)))
    const more = lookUpLine(process.stderr)
    if (more !== null) console.error(more)
    process.exit(1)
  }
}
