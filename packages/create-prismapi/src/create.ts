import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { box, nextLines } from '@prismapi/cli/box'
import { UsageError } from '@prismapi/cli/command'
import { optionsHelp } from '@prismapi/cli/help'
import { commandsAfter, init, initCommand, wordsOf } from '@prismapi/cli/init/init'
import { isPrismaProject } from '@prismapi/cli/prisma-schema'
import { reporting } from '@prismapi/cli/run'
import type { Terminal } from '@prismapi/cli/terminal'
import type { Machine } from './machine.ts'
import { askFolder, askValues } from './questions.ts'
import { readyLines } from './ready.ts'

const usage = 'npm create prismapi [folder] -- [--provider=sqlite|postgresql] [options]'

const options = {
  ...initCommand.options,
  'no-seed': { type: 'boolean', about: 'Leaves the database of a new application empty.' },
  'no-install': { type: 'boolean', about: 'Writes the files, and runs no command.' },
  yes: { type: 'boolean', short: 'y', about: 'Asks nothing: what no flag says is as without a terminal.' },
} as const

/**
 * `npm create prismapi blog`: `prismapi init` in a folder, which is created if it is missing. Then the commands that
 * install it and make its database. Returns the exit status.
 */
export async function create(
  argv: readonly string[],
  from: string,
  terminal: Terminal,
  machine: Machine,
): Promise<number> {
  let isWhole = true
  const status = await reporting(terminal, async () => {
    const { positionals, values: flags } = parse(argv)
    if (flags.help === true) {
      terminal.say(`${terminal.paint('bold', usage)}\n  Makes an application in the folder, and installs it.\n`)
      return terminal.say(optionsHelp({ options }, terminal))
    }
    const [named, ...rest] = positionals
    if (rest.length > 0) throw new UsageError(`Usage: ${usage}`)
    const ask = flags.yes === true ? null : machine.ask
    const folder = await askFolder(named, ask)
    const root = resolve(from, folder)
    if (statSync(root, { throwIfNoEntry: false })?.isFile()) throw new UsageError(`${folder} is a file. Name a folder.`)
    const isProject = existsSync(root) && isPrismaProject(root)
    const values = isProject ? flags : await askValues(flags, ask)
    const made = await init({ positionals: [], values, root }, terminal)
    if (made === null) return
    const commands = commandsAfter(made).filter((each) => !(values['no-seed'] && each.endsWith('db seed')))
    const left = values['no-install'] === true ? commands : await carryOut(commands, { root, terminal, machine })
    isWhole = values['no-install'] === true || left.length === 1
    const isReady = left.length === 1 && made === 'application'
    const words = isReady ? await readyLines({ values, root, run: machine.run }) : wordsOf(made)
    terminal.say(`\n${box([...words, '', ...nextLines([...enter(folder), ...left])])}`)
  })
  return isWhole ? status : 1
}

const enter = (folder: string): readonly string[] =>
  folder === '.' ? [] : [`cd ${/^[\w./-]+$/.test(folder) ? folder : JSON.stringify(folder)}`]

interface Place {
  readonly root: string
  readonly terminal: Terminal
  readonly machine: Machine
}

/** Runs all but the last command, which starts the application. Gives those that are left, with one that failed. */
async function carryOut(commands: readonly string[], { root, terminal, machine }: Place): Promise<readonly string[]> {
  const { say, complain, paint } = terminal
  for (const [i, command] of commands.slice(0, -1).entries()) {
    say(`${paint('cyan', 'running')} ${command}`)
    try {
      await machine.run(command, root)
    } catch (error) {
      complain(`${(error as Error).message}\n${paint('red', 'error')} ${command} failed. Its words stand above.`)
      return commands.slice(i)
    }
  }
  return commands.slice(-1)
}

function parse(argv: readonly string[]) {
  const all = { ...options, help: { type: 'boolean', short: 'h' } } as const
  try {
    return parseArgs({ args: [...argv], options: all, allowPositionals: true })
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\nUsage: ${usage}`, { cause: error })
  }
}
