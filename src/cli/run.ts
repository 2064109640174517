import { parseArgs } from 'node:util'
import { nearest } from '../model/nearest.ts'
import { authorizerCommand } from './authorizer.ts'
import { type Command, UsageError } from './command.ts'
import { diffCommand } from './diff/command.ts'
import { doctorCommand } from './doctor.ts'
import { explainCommand } from './explain.ts'
import { commandHelp, help } from './help.ts'
import { initCommand } from './init/init.ts'
import { openApiCommand } from './openapi.ts'
import { policiesCommand } from './policies/command.ts'
import { policyCommand } from './policy.ts'
import { queryCommand } from './query.ts'
import { requestCommand } from './request.ts'
import { schemaCommand } from './schema.ts'
import { serverCommand } from './server.ts'
import type { Terminal } from './terminal.ts'

const commands: ReadonlyMap<string, Command> = new Map([
  ['init', initCommand],
  ['policy', policyCommand],
  ['request', requestCommand],
  ['query', queryCommand],
  ['schema', schemaCommand],
  ['authorizer', authorizerCommand],
  ['server', serverCommand],
  ['doctor', doctorCommand],
  ['explain', explainCommand],
  ['openapi', openApiCommand],
  ['diff', diffCommand],
  ['policies', policiesCommand],
])

/** Runs `prismapi <command> …` and gives the exit status: 0, or 1 when it could not do what was asked. */
export async function run(argv: readonly string[], root: string, terminal: Terminal): Promise<number> {
  const [name, ...args] = argv
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    terminal.say(help([...commands.values()], terminal))
    return 0
  }
  try {
    await runCommand(commandOf(name), args, root, terminal)
    return 0
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    terminal.complain(`${terminal.paint('red', 'error')} ${error.message}`)
    return 1
  }
}

function commandOf(name: string): Command {
  const command = commands.get(name)
  if (command) return command
  const meant = nearest(name, commands.keys())
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
