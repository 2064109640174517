import { columns, wrapped } from './columns.ts'
import type { Command, Option } from './command.ts'
import type { Terminal } from './terminal.ts'

/** Commands that belong together in `--help`. */
export interface CommandGroup {
  readonly title: string
  readonly commands: readonly Command[]
}

/** What `prismapi --help` says of each command: its summary and an example, in lines of 80 columns. */
export function help(groups: readonly CommandGroup[], { paint }: Pick<Terminal, 'paint'>): string {
  const width = Math.max(...groups.flatMap(({ commands }) => commands.map((command) => nameOf(command).length))) + 4
  const entry = (command: Command) => {
    const [first = '', ...rest] = linesOf(command.summary, columns - width)
    const head = paint('bold', `  ${nameOf(command)}`.padEnd(width)) + first
    const more = command.example === undefined ? rest : [...rest, paint('dim', `npx prismapi ${command.example}`)]
    return [head, ...more.map((line) => ' '.repeat(width) + line)].join('\n')
  }
  return groups.map(({ title, commands }) => [paint('bold', title), ...commands.map(entry)].join('\n')).join('\n\n')
}

const nameOf = ({ usage }: Command): string => usage.split(' ', 1)[0] as string

const linesOf = (text: string, width: number) => wrapped(text.split(' '), width)

/** What `prismapi <command> --help` says. */
export function commandHelp(command: Command, terminal: Terminal): string {
  const { usage, summary, details, example } = command
  const [first = '', ...more] = linesOf(`prismapi ${usage}`, columns - 4)
  const words = [summary, ...(details === undefined ? [] : details.split('\n'))].flatMap((each) =>
    linesOf(each, columns - 2),
  )
  const shown = example === undefined ? [] : [`  Example: npx prismapi ${example}`]
  const call = [first, ...more.map((line) => `    ${line}`)].map((line) => terminal.paint('bold', line))
  const head = [...call, ...words.map((line) => `  ${line}`)].join('\n')
  return [head, ...shown, optionsHelp(command, terminal)].filter(Boolean).join('\n\n')
}

/** The options of a command, in lines of 80 columns. */
export function optionsHelp({ options }: Pick<Command, 'options'>, { paint }: Pick<Terminal, 'paint'>): string {
  const all = Object.entries(options).map(([name, option]) => [flagOf(name, option), option.about] as const)
  const width = Math.max(...all.map(([flag]) => flag.length)) + 4
  return all
    .map(([flag, about]) => {
      const [first = '', ...rest] = linesOf(about, columns - width)
      return [`  ${paint('cyan', flag.padEnd(width - 2))}${first}`, ...rest].join(`\n${' '.repeat(width)}`)
    })
    .join('\n')
}

const flagOf = (name: string, { type, short }: Option): string =>
  `${short === undefined ? '' : `-${short}, `}${type === 'string' ? `--${name}=<${name}>` : `--${name}`}`
