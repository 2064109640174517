import { dashed } from '../schema/naming.ts'
import { type Command, nameOf } from './command.ts'
import { findModel } from './models.ts'
import { readServed } from './project.ts'
import { requestTemplate } from './request-template.ts'
import { requestsOf } from './servers.ts'
import { writeFile, writeOptions } from './write-file.ts'

/** `prismapi request`: what clients may write, and what it must look like. */
export const requestCommand: Command = {
  usage: 'request <name> [--server=<server>] [--force] [--dry-run]',
  summary: 'Writes requests/<model>.request.ts with the rules that the Prisma schema implies.',
  options: {
    server: { type: 'string', about: 'Writes requests/<server>/…, which holds for that server only.' },
    ...writeOptions,
  },
  async run(input, terminal) {
    const model = findModel(input.root, nameOf(input, requestCommand))
    const name = `${dashed(model)}.request.ts`
    const { folder, servers } = requestsOf(input, name)
    const types = await readServed(input.root, model, servers)
    writeFile(input, `${folder}/${name}`, requestTemplate(types), terminal)
  },
}
