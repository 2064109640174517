import { dashed } from '@prismapi/jsonapi/schema/naming'
import { type Command, type Input, nameOf } from '../command.ts'
import { chooseServer } from '../servers.ts'
import { pascal } from '../source.ts'
import { authorizerTemplate } from './authorizer-template.ts'
import { readModel } from './models.ts'
import { writeFile, writeOptions } from './write-file.ts'

/** `prismapi authorizer`: an authorizer of one type, found by its place, or a general one to be registered. */
export const authorizerCommand: Command = {
  usage: 'authorizer <name> [--resource] [--server=<server>] [--force] [--dry-run]',
  summary: 'Writes an authorizer: with --resource beside the schema of the type <name>, else a general one.',
  example: 'authorizer posts --resource',
  options: {
    resource: { type: 'boolean', about: 'The name is a type: it replaces the policy of that type on one server.' },
    server: { type: 'string', about: 'The server that it is for; needed with --resource where there are several.' },
    ...writeOptions,
  },
  async run(input, terminal) {
    const { path, content } =
      input.values.resource === true ? await resourceAuthorizer(input) : generalAuthorizer(input)
    writeFile(input, path, content, terminal)
  },
}

interface GeneratedFile {
  readonly path: string
  readonly content: string
}

async function resourceAuthorizer(input: Input): Promise<GeneratedFile> {
  const { model } = await readModel(input, authorizerCommand)
  const server = chooseServer(input.root, input.values.server)
  return {
    path: `src/app/${server}/${dashed(model)}.authorizer.ts`,
    content: authorizerTemplate(pascal(model), model),
  }
}

function generalAuthorizer(input: Input): GeneratedFile {
  const name = dashed(nameOf(input, authorizerCommand)).replace(/-authorizer$/, '')
  if (input.values.server !== undefined) chooseServer(input.root, input.values.server)
  return { path: `src/app/authorizers/${name}.authorizer.ts`, content: authorizerTemplate(pascal(name), null) }
}
