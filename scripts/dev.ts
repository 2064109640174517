// `npm run dev`: the example, started again whenever one of its files or the Prisma schema changes.
import { resolve } from 'node:path'
import { styleText } from 'node:util'
import { generate } from './dev/generate.ts'
import { startServer } from './dev/server-process.ts'
import { type Change, FileWatcher } from './dev/watch-files.ts'

const root = resolve(import.meta.dirname, '..')

const say = (line: string): void => console.log(`${styleText('cyan', 'dev')} ${line}`)

async function main(): Promise<void> {
  const changes = new FileWatcher(root, ['policies', 'requests', 'src', 'prisma', 'packages'])
  let server = startServer(root, say)
  const end = async (): Promise<void> => {
    changes.close()
    await server.stop()
    process.exit()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => void end())
  for await (const batch of changes) {
    const isSchema = batch.some(({ path }) => path.endsWith('.prisma'))
    say(`${inWords(batch)}: ${isSchema ? 'generating and restarting' : 'restarting'}`)
    const complaint = isSchema ? await generate(root) : null
    if (complaint === null) {
      // The new one starts when the old one has gone: there are never two on one port.
      await server.stop()
      server = startServer(root, say)
    } else say(`prisma generate failed, so the server stays as it is\n${complaint}`)
  }
}

const inWords = ([{ path, verb }, ...others]: readonly [Change, ...Change[]]): string =>
  `${path} ${verb}${others.length > 0 ? ` (and ${others.length} more)` : ''}`

await main()
