import { dashed } from '@prismapi/jsonapi/schema/naming'
import type { Command } from '../command.ts'
import { readServed } from '../project.ts'
import { requestsOf } from '../servers.ts'
import { readModel } from './models.ts'
import { queryTemplate } from './query-template.ts'
import { writeFile, writeOptions } from './write-file.ts'

/** `prismapi query`: what may be asked of one resource, of a collection, or of both. */
export const queryCommand: Command = {
  usage: 'query <name> [--collection | --both] [--server=<server>] [--force] [--dry-run]',
  summary: 'Writes requests/<model>.query.ts, rules for the query of requests that answer one resource.',
  example: 'query Post --collection',
  options: {
    collection: { type: 'boolean', about: 'Writes requests/<model>.collection-query.ts, for collections, instead.' },
    both: { type: 'boolean', about: 'Writes both files.' },
    server: { type: 'string', about: 'Writes requests/<server>/…, which holds for that server only.' },
    ...writeOptions,
  },
  async run(input, terminal) {
    const { resources, model } = await readModel(input, queryCommand)
    for (const role of rolesOf(input.values)) {
      const file = `${dashed(model)}.${role}.ts`
      const { folder, servers } = requestsOf(input, file)
      const [type] = await readServed({ root: input.root, resources }, model, servers)
      writeFile(input, `${folder}/${file}`, queryTemplate(type, role), terminal)
    }
  },
}

type Role = Parameters<typeof queryTemplate>[1]

function rolesOf({ collection, both }: Readonly<Record<string, unknown>>): readonly Role[] {
  if (both === true) return ['query', 'collection-query']
  return collection === true ? ['collection-query'] : ['query']
}
