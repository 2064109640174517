import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { guardMigration } from '@prismapi/proof/guard/guard-migration'
import { type Command, UsageError } from './command.ts'
import { loadApplication } from './policies/application.ts'
import { readPrismaSchema } from './prisma-schema.ts'

/** `prismapi rls`: row level security from the policies and scopes. */
export const rlsCommand: Command = {
  usage: 'rls [--out=<file>] [--schema=<path>]',
  summary:
    'Writes your policies and scopes as row level security of PostgreSQL: a migration. Run it again when they change.',
  details: 'The status is 1 where a rule is code, which the database cannot run.',
  example: 'rls --out=prisma/migrations/rls.sql',
  options: {
    out: {
      type: 'string',
      about: 'Writes it to that file instead: the migration.sql of prisma migrate dev --create-only.',
    },
    schema: { type: 'string', about: 'Another Prisma schema: a file, or a folder.' },
  },
  async run({ root, values, positionals }, { say, complain, paint }) {
    if (positionals.length > 0) throw new UsageError(`Usage: prismapi ${rlsCommand.usage}`)
    const { resources, problems } = await readPrismaSchema(root, values.schema as string | undefined)
    if (problems.length > 0) throw new UsageError(problems.join('\n'))
    if (resources.provider !== 'postgresql')
      throw new UsageError(`Row level security is PostgreSQL's, and the Prisma schema is for ${resources.provider}.`)
    const { sql, untranslated, left } = await migrationOf(root, resources)
    if (untranslated.length > 0)
      throw new UsageError(
        untranslated.map(({ file, reason }) => `${file}: ${reason}`).join(`\n${paint('red', 'error')} `),
      )
    for (const { file, reason } of left) complain(`${paint('yellow', 'left to the framework')} ${file}: ${reason}`)
    if (values.out === undefined) return say(sql.trimEnd())
    const file = resolve(root, String(values.out))
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, sql)
    say(`${paint('green', 'written')} ${values.out}`)
  },
}

async function migrationOf(root: string, resources: Parameters<typeof loadApplication>[1]) {
  try {
    return await guardMigration(await loadApplication(root, resources))
  } catch (cause) {
    if (cause instanceof UsageError) throw cause
    throw new UsageError((cause as Error).message, { cause })
  }
}
