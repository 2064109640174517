import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { openApiDocument } from '../openapi/document.ts'
import { cursorSeal } from '../pagination/cursor-seal.ts'
import { type CompiledServer, compileServer, type ServerParts } from '../server/compile.ts'
import { discover } from '../server/discover.ts'
import { type Command, UsageError } from './command.ts'
import { readTypeScript } from './load-file.ts'
import { readResources } from './prisma-schema.ts'
import { chooseServer, listServers } from './servers.ts'

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
    const server = await compiledServer(root, chooseServer(root, values.server), String(values['base-url'] ?? ''))
    const text = JSON.stringify(openApiDocument(server), null, 2)
    if (values.out === undefined) return say(text)
    const file = resolve(root, String(values.out))
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `${text}\n`)
    say(`${paint('green', 'written')} ${values.out}`)
  },
}

const silent = () => {}
const logger = { debug: silent, info: silent, warn: silent, error: silent }

/** The server as the application starts it, but for what asks who somebody is. */
async function compiledServer(root: string, folder: string, baseUrl: string): Promise<CompiledServer> {
  const resources = await readResources(root)
  await readTypeScript(root)
  try {
    // Both are in the order of the folders' names.
    const { servers } = await discover({ root, resources })
    const parts = servers[listServers(root).indexOf(folder)] as ServerParts
    const environment = { resources, policies: new Map(), baseUrl, production: true, logger }
    return compileServer(parts, { ...environment, cursorSeal: cursorSeal(null) })
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error })
  }
}
