import { dashed } from '@prismapi/jsonapi/schema/naming'
import type { Command } from '../command.ts'
import { readServed } from '../project.ts'
import { requestsOf } from '../servers.ts'
import { readModel } from './models.ts'
import { requestTemplate } from './request-template.ts'
import { writeFile, writeOptions } from './write-file.ts'

/** `prismapi request`: what clients may write, and what it must look like. */
export const requestCommand: Command = {
  usage: 'request <name> [--server=<server>] [--force] [--dry-run]',
  summary: 'Writes requests/<model>.request.ts with the rules that the Prisma schema implies.',
  example: 'request Post',
  options: {
    server: { type: 'string', about: 'Writes requests/<server>/…, which holds for that server only.' },
    ...writeOptions,
  },
  async run(input, terminal) {
    const { resources, model } = await readModel(input, requestCommand)
    const file = `${dashed(model)}.request.ts`
    const { folder, servers } = requestsOf(input, file)
    const types = await readServed({ root: input.root, resources }, model, servers)
    writeFile(input, `${folder}/${file}`, requestTemplate(types), terminal)
  },
}
