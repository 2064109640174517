import { basename } from 'node:path'
import { policyFile } from '@prismapi/core/auth/policy'
import type { Command } from '../command.ts'
import { readServed } from '../project.ts'
import { chooseServer, listServers } from '../servers.ts'
import { readModel } from './models.ts'
import { policyTemplate } from './policy-template.ts'
import { writeFile, writeOptions } from './write-file.ts'

/** `prismapi policy`: who may do what with the rows of a model. */
export const policyCommand: Command = {
  usage: 'policy <name> [--server=<server>] [--force] [--dry-run]',
  summary: 'Writes policies/<model>.policy.ts with every action of the model. It denies all of them at first.',
  example: 'policy Post',
  options: {
    server: {
      type: 'string',
      about: 'Writes policies/<server>/<model>.policy.ts, which that server asks in its place.',
    },
    ...writeOptions,
  },
  async run(input, terminal) {
    const { resources, model } = await readModel(input, policyCommand)
    const { root, values } = input
    const own = values.server === undefined ? null : chooseServer(root, values.server)
    const types = await readServed({ root, resources }, model, own === null ? listServers(root) : [own])
    const file = own === null ? policyFile(model) : `policies/${own}/${basename(policyFile(model))}`
    writeFile(input, file, policyTemplate(types, own === null ? 'on every server' : `on ${own}`), terminal)
  },
}
