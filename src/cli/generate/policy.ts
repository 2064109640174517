import { policyFile } from '../../auth/policy.ts'
import type { Command } from '../command.ts'
import { readServed } from '../project.ts'
import { listServers } from '../servers.ts'
import { readModel } from './models.ts'
import { policyTemplate } from './policy-template.ts'
import { writeFile, writeOptions } from './write-file.ts'

/** `prismapi policy`: who may do what with the rows of a model. */
export const policyCommand: Command = {
  usage: 'policy <name> [--force] [--dry-run]',
  summary: 'Writes policies/<model>.policy.ts with every action of the model. It denies all of them at first.',
  options: writeOptions,
  async run(input, terminal) {
    const { resources, model } = await readModel(input, policyCommand)
    const types = await readServed({ root: input.root, resources }, model, listServers(input.root))
    writeFile(input, policyFile(model), policyTemplate(types), terminal)
  },
}
