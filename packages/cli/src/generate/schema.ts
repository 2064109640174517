import { dashed } from '@prismapi/jsonapi/schema/naming'
import type { Command } from '../command.ts'
import { inferredType } from '../project.ts'
import { chooseServer } from '../servers.ts'
import { readModel } from './models.ts'
import { schemaTemplate } from './schema-template.ts'
import { writeFile, writeOptions } from './write-file.ts'

/** `prismapi schema`: what differs from the inferred type on one server. */
export const schemaCommand: Command = {
  usage: 'schema <name> [--server=<server>] [--force] [--dry-run]',
  summary: 'Writes src/app/<server>/<model>.schema.ts, which changes nothing as it is and shows what it could change.',
  example: 'schema Post',
  options: {
    server: { type: 'string', about: 'The server that it is for; needed where there are several.' },
    ...writeOptions,
  },
  async run(input, terminal) {
    const { resources, model } = await readModel(input, schemaCommand)
    const server = chooseServer(input.root, input.values.server)
    const type = inferredType(resources, model)
    writeFile(input, `src/app/${server}/${dashed(model)}.schema.ts`, schemaTemplate(type), terminal)
  },
}
