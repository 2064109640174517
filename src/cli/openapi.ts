import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { openApiDocument } from '../openapi/document.ts'
import type { CompiledServer } from '../server/compile.ts'
import { type Command, UsageError } from './command.ts'
import { compiledServers } from './compiled-servers.ts'
import { readResources } from './prisma-schema.ts'
import { chooseServer } from './servers.ts'

/** `prismapi openapi`: all that a server has, for nobody in particular. */
export const openApiCommand: Command = {
  usage: 'openapi [--server=<server>] [--out=<file>] [--base-url=<url>]',
  summary: 'Prints the whole OpenAPI document of a server, whoever may do what. It needs no database.',
  options: {
    server: { type: 'string', about: 'The server; it may be left out where there is one only.' },
    out: { type: 'string', about: 'Writes the document to that file instead, over the one that is there.' },
    'base-url': {
      type: 'string',
      about: 'The public origin that URLs begin with; by default they begin with a slash.',
    },
  },
  async run({ root, values, positionals }, { say, paint }) {
    if (positionals.length > 0) throw new UsageError(`Usage: prismapi ${openApiCommand.usage}`)
    const servers = [chooseServer(root, values.server)]
    const resources = await readResources(root)
    const baseUrl = String(values['base-url'] ?? '')
    const [server] = await compiledServers(root, { servers, resources, baseUrl })
    const text = JSON.stringify(openApiDocument(server as CompiledServer), null, 2)
    if (values.out === undefined) return say(text)
    const file = resolve(root, String(values.out))
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `${text}\n`)
    say(`${paint('green', 'written')} ${values.out}`)
  },
}
