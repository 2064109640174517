import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { CompiledServer } from '@prismapi/core/server/compile'
import { documentParts } from '@prismapi/openapi/document'
import { documentText } from '@prismapi/openapi/document-text'
import { type Command, UsageError } from './command.ts'
import { compiledServers } from './compiled-servers.ts'
import { readResources } from './prisma-schema.ts'
import { chooseServer, typesOf } from './servers.ts'
import type { Terminal } from './terminal.ts'

/** `prismapi openapi`: all that a server has, for no caller in particular. */
export const openApiCommand: Command = {
  usage: 'openapi [--server=<server>] [--types=<types>] [--out=<file>] [--base-url=<url>]',
  summary: 'Prints the whole OpenAPI document of a server, whoever may do what. It needs no database.',
  example: 'openapi --server=v1 --out=openapi.json',
  options: {
    server: { type: 'string', about: 'The server; it may be left out where there is one only.' },
    out: { type: 'string', about: 'Writes the document to that file instead, over the one that is there.' },
    types: { type: 'string', about: 'These types alone, between commas: posts,users. All by default.' },
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
    const [server] = (await compiledServers(root, { servers, resources, baseUrl })) as [CompiledServer]
    const text = documentText(documentParts(server, undefined, { types: typesOf(server, values.types) }), 2)
    if (values.out === undefined) return saying(text, say)
    writeAll(resolve(root, String(values.out)), text)
    say(`${paint('green', 'written')} ${values.out}`)
  },
}

/** Says a long text some lines at a time. */
function saying(pieces: Iterable<string>, say: Terminal['say']): void {
  let rest = ''
  for (const piece of pieces) {
    const text = rest + piece
    const end = text.lastIndexOf('\n')
    if (end >= 0) say(text.slice(0, end))
    rest = text.slice(end + 1)
  }
  say(rest)
}

function writeAll(file: string, pieces: Iterable<string>): void {
  mkdirSync(dirname(file), { recursive: true })
  const open = openSync(file, 'w')
  try {
    for (const piece of pieces) writeSync(open, piece)
    writeSync(open, '\n')
  } finally {
    closeSync(open)
  }
}
