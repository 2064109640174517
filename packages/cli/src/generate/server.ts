import { dashed } from '@prismapi/jsonapi/schema/naming'
import { type Command, nameOf } from '../command.ts'
import { readResources } from '../prisma-schema.ts'
import { inferredTypes } from '../project.ts'
import { serverTemplate } from './server-template.ts'
import { writeFile, writeOptions } from './write-file.ts'

/** `prismapi server`: another API, as a rule another version, beside those that there are. */
export const serverCommand: Command = {
  usage: 'server <name> [--force] [--dry-run]',
  summary: 'Writes src/app/<name>/server.ts: every model is served below /api/<name>.',
  example: 'server v2',
  options: writeOptions,
  async run(input, terminal) {
    const name = dashed(nameOf(input, serverCommand))
    const types = inferredTypes(await readResources(input.root))
    writeFile(input, `src/app/${name}/server.ts`, serverTemplate(name, types), terminal)
  },
}
