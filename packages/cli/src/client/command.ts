import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { CompiledServer } from '@prismapi/core/server/compile'
import { type Command, UsageError } from '../command.ts'
import { compiledServers } from '../compiled-servers.ts'
import { readResources } from '../prisma-schema.ts'
import { chooseServer, typesOf } from '../servers.ts'
import { clientFile } from './client-file.ts'

/** `prismapi client`: the types of a server, and a client that is checked against them. */
export const clientCommand: Command = {
  usage: 'client [--server=<server>] [--types=<types>] [--out=<file>]',
  summary: 'Prints a typed client of a server, which openapi-fetch runs. It needs no database.',
  example: 'client --server=v1 --out=src/api-client.ts',
  options: {
    server: { type: 'string', about: 'The server; it may be left out where there is one only.' },
    out: { type: 'string', about: 'Writes the client to that file instead, over the one that is there.' },
    types: { type: 'string', about: 'These types alone, between commas: posts,users. All by default.' },
  },
  async run({ root, values, positionals }, { say, paint }) {
    if (positionals.length > 0) throw new UsageError(`Usage: prismapi ${clientCommand.usage}`)
    const name = chooseServer(root, values.server)
    const resources = await readResources(root)
    const [server] = (await compiledServers(root, { servers: [name], resources, baseUrl: '' })) as [CompiledServer]
    const text = clientFile(server, typesOf(server, values.types))
    if (values.out === undefined) return say(text.trimEnd())
    const file = resolve(root, String(values.out))
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    say(`${paint('green', 'written')} ${values.out}`)
  },
}
