import type { Command, Option } from './command.ts'
import type { Terminal } from './terminal.ts'

/** What `prismapi --help` says. */
export const help = (commands: readonly Command[], terminal: Terminal): string =>
  [
    ...commands.map((command) => headOf(command, terminal)),
    'prismapi <command> --help explains the options. The name is that of a model, its file or its type.',
  ].join('\n\n')

/** What `prismapi --help` says of the commands of the application's features. */
export const ownHelp = (commands: readonly Command[], terminal: Terminal): string =>
  ['Commands of src/app/features:', ...commands.map((command) => headOf(command, terminal))].join('\n\n')

/** What `prismapi <command> --help` says. */
export const commandHelp = (command: Command, terminal: Terminal): string =>
  `${headOf(command, terminal)}\n\n${optionsHelp(command, terminal)}`

/** The options of a command, one a line. */
export function optionsHelp(command: Pick<Command, 'options'>, terminal: Terminal): string {
  const options = Object.entries(command.options).map(([name, option]) => [flagOf(name, option), option.about] as const)
  const width = Math.max(...options.map(([flag]) => flag.length))
  return options.map(([flag, about]) => `  ${terminal.paint('cyan', flag.padEnd(width))}  ${about}`).join('\n')
}

const headOf = ({ usage, summary }: Command, { paint }: Terminal): string =>
  `${paint('bold', `prismapi ${usage}`)}\n  ${summary}`

const flagOf = (name: string, { type }: Option): string => (type === 'string' ? `--${name}=<${name}>` : `--${name}`)
