import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { UsageError } from '@prismapi/cli/command'
import { optionsHelp } from '@prismapi/cli/help'
import { init, initCommand, type Made } from '@prismapi/cli/init/init'
import { reporting } from '@prismapi/cli/run'
import type { Terminal } from '@prismapi/cli/terminal'

const usage = 'npm create prismapi [folder] -- [--provider=sqlite|postgresql] [--dry-run]'

/**
 * `npm create prismapi blog`: `prismapi init` in a folder, which is created if it is missing. Returns the exit status.
 */
export const create = (argv: readonly string[], from: string, terminal: Terminal): Promise<number> =>
  reporting(terminal, async () => {
    const { positionals, values } = parse(argv)
    if (values.help === true) {
      terminal.say(`${terminal.paint('bold', usage)}\n  Makes an application in the folder, or in this one.\n`)
      return terminal.say(optionsHelp(initCommand, terminal))
    }
    const [folder, ...rest] = positionals
    if (rest.length > 0) throw new UsageError(`Usage: ${usage}`)
    const root = resolve(from, folder ?? '.')
    if (statSync(root, { throwIfNoEntry: false })?.isFile()) throw new UsageError(`${folder} is a file. Name a folder.`)
    const made = await init({ positionals: [], values, root }, terminal)
    if (made !== null) terminal.say(`\nNext:\n${nextCommands(made, folder).join('\n')}`)
  })

function parse(argv: readonly string[]) {
  const options = { ...initCommand.options, help: { type: 'boolean', short: 'h' } } as const
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true })
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\nUsage: ${usage}`, { cause: error })
  }
}

const nextCommands = (made: Made, folder: string | undefined): readonly string[] => [
  ...(folder === undefined ? [] : [`  cd ${/^[\w./-]+$/.test(folder) ? folder : JSON.stringify(folder)}`]),
  '  npm install',
  '  npx prisma generate',
  ...(made === 'application' ? ['  npx prisma migrate dev --name init', '  npx prisma db seed', '  npm start'] : []),
]
