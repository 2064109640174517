import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { liveMigration } from '@prismapi/live/triggers/live-migration'
import { type Command, UsageError } from './command.ts'
import { readResources } from './prisma-schema.ts'

/** `prismapi live`: the triggers that log every change. */
export const liveCommand: Command = {
  usage: 'live [--out=<file>]',
  summary: 'Prints the migration that logs each change, for live collections. Run it again when models change.',
  example: 'live --out=prisma/migrations/live.sql',
  options: {
    out: {
      type: 'string',
      about: 'Writes it to that file instead: the migration.sql of prisma migrate dev --create-only.',
    },
  },
  async run({ root, values, positionals }, { say, paint }) {
    if (positionals.length > 0) throw new UsageError(`Usage: prismapi ${liveCommand.usage}`)
    const text = migrationFor(await readResources(root))
    if (values.out === undefined) return say(text.trimEnd())
    const file = resolve(root, String(values.out))
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    say(`${paint('green', 'written')} ${values.out}`)
  },
}

function migrationFor(resources: Parameters<typeof liveMigration>[0]): string {
  try {
    return liveMigration(resources)
  } catch (cause) {
    throw new UsageError((cause as Error).message, { cause })
  }
}
