import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { lookUpLine } from '@prismapi/jsonapi/model/look-up'
import { nearest } from '@prismapi/jsonapi/model/nearest'
import { type Command, UsageError } from './command.ts'
import { commandHelp, help } from './help.ts'
import { ownCommands } from './own-commands.ts'
import type { Terminal } from './terminal.ts'

type Load = () => Promise<Command>

// Each command is loaded when it is asked for: the others have much to load that it has no use for.
const groups: readonly { readonly title: string; readonly commands: Readonly<Record<string, Load>> }[] = [
  {
    title: 'Start',
    commands: {
      init: async () => (await import('./init/init.ts')).initCommand,
      dev: async () => (await import('./dev/command.ts')).devCommand,
      server: async () => (await import('./generate/server.ts')).serverCommand,
      resources: async () => (await import('./resources.ts')).resourcesCommand,
    },
  },
  {
    title: 'Say who may do what, and which values are valid',
    commands: {
      policy: async () => (await import('./generate/policy.ts')).policyCommand,
      request: async () => (await import('./generate/request.ts')).requestCommand,
      query: async () => (await import('./generate/query.ts')).queryCommand,
      schema: async () => (await import('./generate/schema.ts')).schemaCommand,
      authorizer: async () => (await import('./generate/authorizer.ts')).authorizerCommand,
    },
  },
  {
    title: 'Look and prove',
    commands: {
      doctor: async () => (await import('./doctor/command.ts')).doctorCommand,
      explain: async () => (await import('./explain/command.ts')).explainCommand,
      policies: async () => (await import('./policies/command.ts')).policiesCommand,
      diff: async () => (await import('./diff/command.ts')).diffCommand,
    },
  },
  {
    title: 'For clients',
    commands: {
      openapi: async () => (await import('./openapi.ts')).openApiCommand,
      client: async () => (await import('./client/command.ts')).clientCommand,
    },
  },
  {
    title: 'Migrations',
    commands: {
      live: async () => (await import('./live.ts')).liveCommand,
      search: async () => (await import('./search.ts')).searchCommand,
      rls: async () => (await import('./rls.ts')).rlsCommand,
    },
  },
]

const commands: ReadonlyMap<string, Load> = new Map(groups.flatMap((group) => Object.entries(group.commands)))

const isBuiltIn = (name: string): boolean => commands.has(name)

/** Runs `prismapi <command> …` and gives the exit status: 0, or 1 when it could not do what was asked. */
export async function run(argv: readonly string[], root: string, terminal: Terminal): Promise<number> {
  const [name, ...args] = argv
  if (name === '--version' || name === '-v') return reporting(terminal, async () => terminal.say(version()))
  if (name === undefined || name === 'help' || name === '--help' || name === '-h')
    return reporting(terminal, async () => tellHelp(root, terminal))
  return reporting(terminal, async () => runCommand(await commandOf(name, root), args, root, terminal))
}

const version = (): string => JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version

/** Says what there is, and then what the application's own features bring, which may fail to load. */
async function tellHelp(root: string, terminal: Terminal): Promise<void> {
  const load = async (title: string, loads: Iterable<Load>) => ({
    title,
    commands: await Promise.all([...loads].map((each) => each())),
  })
  const known = await Promise.all(groups.map((group) => load(group.title, Object.values(group.commands))))
  terminal.say(`prismapi ${version()}\n\n${help(known, terminal)}`)
  terminal.say('\nprismapi <command> --help explains a command and its options.')
  const own = await ownCommands(root, isBuiltIn)
  if (own.size > 0) terminal.say(`\n${help([await load('Commands of src/app/features', own.values())], terminal)}`)
}

/** Does the work of a command, and gives its exit status. What is wrong with how it was asked is said in a line. */
export async function reporting(terminal: Terminal, work: () => Promise<void>): Promise<number> {
  try {
    await work()
    return 0
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    terminal.complain(`${terminal.paint('red', 'error')} ${error.message}`)
    const more = lookUpLine(process.stderr)
    if (more !== null) terminal.complain(terminal.paint('dim', more))
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
