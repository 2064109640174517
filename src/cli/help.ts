import type { Command, Option } from './command.ts'
import type { Terminal } from './terminal.ts'

/** What `prismapi --help` says. */
export const help = (commands: readonly Command[], terminal: Terminal): string =>
  [
    ...commands.map((command) => headOf(command, terminal)),
    'prismapi <command> --help explains the options. The name is that of a model, its file or its type.',
  ].join('\n\n')

/** What `prismapi <command> --help` says. */
export function commandHelp(command: Command, terminal: Terminal): string {
  const options = Object.entries(command.options).map(([name, option]) => [flagOf(name, option), option.about] as const)
  const width = Math.max(...options.map(([flag]) => flag.length))
  return [
    headOf(command, terminal),
    '',
    ...options.map(([flag, about]) => `  ${terminal.paint('cyan', flag.padEnd(width))}  ${about}`),
  ].join('\n')
}

const headOf = ({ usage, summary }: Command, { paint }: Terminal): string =>
  `${paint('bold', `prismapi ${usage}`)}\n  ${summary}`

const flagOf = (name: string, { type }: Option): string => (type === 'string' ? `--${name}=<${name}>` : `--${name}`)
