import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Command, type Input, UsageError } from '../command.ts'
import { runPrisma } from '../prisma/run-prisma.ts'
import type { Terminal } from '../terminal.ts'
import { shownLog } from './log.ts'
import { startServer } from './server-process.ts'
import { type Change, FileWatcher } from './watch-files.ts'

const main = 'src/app/main.ts'

/** `prismapi dev`: the application, which is generated, migrated and started again whenever a file of it changes. */
export const devCommand: Command = {
  usage: 'dev [--watch=<folders>] [--json]',
  summary: 'Generates, migrates and starts your application, and again whenever you save a file.',
  details: `It runs ${main} and watches policies, requests, src and prisma.`,
  example: 'dev',
  options: {
    watch: { type: 'string', about: 'More folders to watch, with commas between them.' },
    json: { type: 'boolean', about: 'Shows the log as your application writes it.' },
  },
  async run(input, terminal) {
    const { root, values, positionals } = input
    if (positionals.length > 0) throw new UsageError(`Usage: prismapi ${devCommand.usage}`)
    if (!existsSync(join(root, main))) throw new UsageError(`There is no ${main}. Run npx prismapi init first.`)
    const say = (line: string) => terminal.say(`${terminal.paint('cyan', 'dev')} ${line}`)
    const changes = new FileWatcher(root, watchedBy(input))
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => changes.close())
    await generate(root, say)
    await migrate(root, say)
    const log = values.json === true ? null : shownLog()
    const start = () => startServer({ root, main, log }, say)
    let server = start()
    for await (const batch of changes) {
      say(`${inWords(batch)}: ${isPrisma(batch) ? 'generating and restarting' : 'restarting'}`)
      if (isPrisma(batch) && !(await generate(root, say))) continue
      // The new one starts when the old one has gone: there are never two on one port, or at one file of SQLite.
      await server.stop()
      if (isPrisma(batch)) await migrate(root, say)
      server = start()
    }
    await server.stop()
  },
}

const watchedBy = ({ values }: Input): readonly string[] => [
  ...['policies', 'requests', 'src', 'prisma'],
  ...(typeof values.watch === 'string' ? values.watch.split(',') : []),
]

const isPrisma = (batch: readonly Change[]): boolean => batch.some(({ path }) => /\.(?:prisma|sql)$/.test(path))

/** Returns false where Prisma refuses the schema. */
async function generate(root: string, say: Terminal['say']): Promise<boolean> {
  const complaint = await runPrisma(root, 'generate')
  if (complaint !== null) say(`prisma generate failed, so the server stays as it is\n${complaint}`)
  return complaint === null
}

async function migrate(root: string, say: Terminal['say']): Promise<void> {
  const complaint = await runPrisma(root, 'migrate', 'deploy')
  if (complaint !== null) say(`prisma migrate deploy failed, so the database stays as it is\n${complaint}`)
}

const inWords = ([{ path, verb }, ...others]: readonly [Change, ...Change[]]): string =>
  `${path} ${verb}${others.length > 0 ? ` (and ${others.length} more)` : ''}`
