import { dashed, upperFirst } from '../schema/naming.ts'
import { authorizerTemplate } from './authorizer-template.ts'
import { type Command, type Input, UsageError } from './command.ts'
import { findModel } from './models.ts'
import { chooseServer } from './servers.ts'
import { writeFile, writeOptions } from './write-file.ts'

/** `prismapi authorizer`: an authorizer of one type, found by its place, or a general one to be registered. */
export const authorizerCommand: Command = {
  usage: 'authorizer <name> [--resource] [--server=<server>] [--force] [--dry-run]',
  summary: 'Writes an authorizer: with --resource beside the schema of the type <name>, else a general one.',
  options: { resource: { type: 'boolean' }, server: { type: 'string' }, ...writeOptions },
  async run(input, terminal) {
    const { path, content } = input.values.resource === true ? resourceAuthorizer(input) : generalAuthorizer(input)
    writeFile(input, path, content, terminal)
  },
}

interface GeneratedFile {
  readonly path: string
  readonly content: string
}

function resourceAuthorizer(input: Input): GeneratedFile {
  const model = findModel(input.root, nameOf(input))
  const server = chooseServer(input.root, input.values.server)
  return { path: `src/app/${server}/${dashed(model)}.authorizer.ts`, content: authorizerTemplate(model, model) }
}

function generalAuthorizer(input: Input): GeneratedFile {
  const name = dashed(nameOf(input)).replace(/-authorizer$/, '')
  if (input.values.server !== undefined) chooseServer(input.root, input.values.server)
  const className = name.split('-').map(upperFirst).join('')
  return { path: `src/app/authorizers/${name}.authorizer.ts`, content: authorizerTemplate(className, null) }
}

function nameOf({ positionals }: Input): string {
  const [name, ...rest] = positionals
  if (name === undefined || rest.length > 0) throw new UsageError(`Usage: prismapi ${authorizerCommand.usage}`)
  // It becomes a file's and a class's name.
  if (!/^[A-Za-z][A-Za-z0-9_-]*$/.test(name))
    throw new UsageError(`"${name}" is no name: letters, digits and dashes only.`)
  return name
}
