import { nearest } from '../../model/nearest.ts'
import { type Command, type Input, UsageError } from '../command.ts'
import type { Terminal } from '../terminal.ts'
import { assertPolicies } from './assert.ts'
import { coveragePolicies } from './coverage.ts'
import { diffPolicies } from './diff.ts'
import { whoPolicies } from './who.ts'

/** `prismapi policies`: what the policies allow, and to whom. */
export const policiesCommand: Command = {
  usage:
    'policies assert ["<who> never|always <action> <Model> [where <json>]"] | diff <other checkout> | coverage <file> | who <action> <type>/<id> [--json]',
  summary:
    'Proves what the policies allow, or shows a row. assert: the sentence, or those of policies/assertions.txt, hold. diff: what changed since another checkout. coverage: what the tests saw decide. who: who may do something. The status is 1 where something does not hold, or changed.',
  options: {
    json: { type: 'boolean', about: 'Prints it as JSON.' },
    server: { type: 'string', about: 'Of who: the server, where several do not agree.' },
    'at-least': {
      type: 'string',
      about: 'Of coverage: the status is 1 where fewer percent of the rules and methods decided.',
    },
  },
  async run(input, terminal) {
    const [name, ...positionals] = input.positionals
    if (name === undefined) throw new UsageError(`Usage: prismapi ${policiesCommand.usage}`)
    const work = works.get(name)
    if (work) return work({ ...input, positionals }, terminal)
    const meant = nearest(name, [...works.keys()])
    throw new UsageError(
      `policies knows no "${name}". ${meant ? `Did you mean ${meant}?` : `Usage: prismapi ${policiesCommand.usage}`}`,
    )
  },
}

const works: ReadonlyMap<string, (input: Input, terminal: Terminal) => Promise<void>> = new Map([
  ['assert', assertPolicies],
  ['diff', diffPolicies],
  ['coverage', coveragePolicies],
  ['who', whoPolicies],
])
