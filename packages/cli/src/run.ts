import { parseArgs } from 'node:util'
import { nearest } from '@prismapi/jsonapi/model/nearest'
import { type Command, UsageError } from './command.ts'
import { commandHelp, help, ownHelp } from './help.ts'
import { ownCommands } from './own-commands.ts'
import type { Terminal } from './terminal.ts'

// Read when they are asked for: each has much to load that the others have no use for.
const commands: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ['init', async () => (await import('./init/init.ts')).initCommand],
  ['policy', async () => (await import('./generate/policy.ts')).policyCommand],
  ['request', async () => (await import('./generate/request.ts')).requestCommand],
  ['query', async () => (await import('./generate/query.ts')).queryCommand],
  ['schema', async () => (await import('./generate/schema.ts')).schemaCommand],
  ['authorizer', async () => (await import('./generate/authorizer.ts')).authorizerCommand],
  ['server', async () => (await import('./generate/server.ts')).serverCommand],
  ['resources', async () => (await import('./resources.ts')).resourcesCommand],
  ['doctor', async () => (await import('./doctor/command.ts')).doctorCommand],
  ['explain', async () => (await import('./explain/command.ts')).explainCommand],
  ['openapi', async () => (await import('./openapi.ts')).openApiCommand],
  ['client', async () => (await import('./client/command.ts')).clientCommand],
  ['live', async () => (await import('./live.ts')).liveCommand],
  ['rls', async () => (await import('./rls.ts')).rlsCommand],
  ['diff', async () => (await import('./diff/command.ts')).diffCommand],
  ['policies', async () => (await import('./policies/command.ts')).policiesCommand],
])

const isBuiltIn = (name: string): boolean => commands.has(name)

/** Runs `prismapi <command> …` and gives the exit status: 0, or 1 when it could not do what was asked. */
export async function run(argv: readonly string[], root: string, terminal: Terminal): Promise<number> {
  const [name, ...args] = argv
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    terminal.say(help(await Promise.all([...commands.values()].map((load) => load())), terminal))
    return reporting(terminal, async () => {
      const own = [...(await ownCommands(root, isBuiltIn)).values()]
      if (own.length > 0) terminal.say(`\n${ownHelp(await Promise.all(own.map((load) => load())), terminal)}`)
    })
  }
  return reporting(terminal, async () => runCommand(await commandOf(name, root), args, root, terminal))
}

/** Does the work of a command, and gives its exit status. What is wrong with how it was asked is said in a line. */
export async function reporting(terminal: Terminal, work: () => Promise<void>): Promise<number> {
  try {
    await work()
    return 0
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    terminal.complain(`${terminal.paint('red', 'error')} ${error.message}`)
    return 1
  }
}

async function commandOf(name: string, root: string): Promise<Command> {
  const load = commands.get(name)
  if (load) return load()
  const own = await ownCommands(root, isBuiltIn)
  const ownLoad = own.get(name)
  if (ownLoad) return ownLoad()
  const meant = nearest(name, [...commands.keys(), ...own.keys()])
  throw new UsageError(`There is no command "${name}". ${meant ? `Did you mean "${meant}"?` : 'See prismapi --help.'}`)
}

async function runCommand(command: Command, args: readonly string[], root: string, terminal: Terminal): Promise<void> {
  const { positionals, values } = parse(command, args)
  if (values.help === true) terminal.say(commandHelp(command, terminal))
  else await command.run({ positionals, values, root }, terminal)
}

function parse(command: Command, args: readonly string[]) {
  const options = { ...command.options, help: { type: 'boolean', short: 'h' } } as const
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\nUsage: prismapi ${command.usage}`)
  }
}
