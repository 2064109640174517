import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Resources } from '@prismapi/jsonapi/model/meta'
import { searchedModels, searchMigration } from '@prismapi/search/search-migration'
import { type Command, UsageError } from './command.ts'
import { compiledServers } from './compiled-servers.ts'
import { readResources } from './prisma-schema.ts'
import { listServers } from './servers.ts'

/** `prismapi search`: the indexes by which clients search texts. */
export const searchCommand: Command = {
  usage: 'search [--out=<file>]',
  summary: 'Prints the migration with the indexes of filter[search]. Run it again when searched fields change.',
  example: 'search --out=prisma/migrations/search.sql',
  options: {
    out: {
      type: 'string',
      about: 'Writes it to that file instead: the migration.sql of prisma migrate dev --create-only.',
    },
  },
  async run({ root, values, positionals }, { say, paint }) {
    if (positionals.length > 0) throw new UsageError(`Usage: prismapi ${searchCommand.usage}`)
    const text = await searchMigrationOf(root, await readResources(root))
    if (text === null)
      throw new UsageError('No type is searched. Write /// @search above columns, or search into a schema class.')
    if (values.out === undefined) return say(text.trimEnd())
    const file = resolve(root, String(values.out))
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    say(`${paint('green', 'written')} ${values.out}`)
  },
}

/** The migration for all servers; null where they search nothing. */
export async function searchMigrationOf(root: string, resources: Resources): Promise<string | null> {
  const servers = await compiledServers(root, { servers: listServers(root), resources, baseUrl: '' })
  const searched = searchedModels(servers.map(({ schemas }) => schemas))
  return searched.length === 0 ? null : searchMigration(searched, resources.provider)
}
