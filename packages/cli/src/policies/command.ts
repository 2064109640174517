import { nearest } from '@prismapi/jsonapi/model/nearest'
import { type Command, type Input, UsageError } from '../command.ts'
import type { Terminal } from '../terminal.ts'

/** `prismapi policies`: what the policies allow, and to whom. */
export const policiesCommand: Command = {
  usage: 'policies assert|diff|coverage|mutate|who [<arguments>] [--json]',
  summary: 'Proves what your policies allow, or shows a row and a caller that prove the opposite.',
  details: [
    'assert ["<who> never|always <action> <Model>[.<field>] [where <json>]"]: that sentence holds, or those of policies/assertions.txt do.',
    'diff <other checkout>: what changed since that checkout.',
    'coverage <file>: which rules decided while your tests ran.',
    'mutate [<test files>]: which changes of rules no test notices.',
    'who <action> <type>/<id>: who may do this with a row of your database.',
    'The status is 1 where something does not hold, or changed.',
  ].join('\n'),
  example: 'policies assert "guest never delete Post"',
  options: {
    json: { type: 'boolean', about: 'Prints it as JSON.' },
    server: { type: 'string', about: 'Of assert, diff and who: that server alone.' },
    'at-least': {
      type: 'string',
      about:
        'Of coverage and mutate: the status is 1 where fewer percent of the rules and methods decided, or of the changes were noticed.',
    },
    command: {
      type: 'string',
      about: 'Of mutate: runs the tests that are appended to it; by default npx vitest run --bail=1.',
    },
    policy: { type: 'string', about: 'Of mutate: the model whose policy alone is changed.' },
  },
  async run(input, terminal) {
    const [name, ...positionals] = input.positionals
    if (name === undefined)
      throw new UsageError(`Say which: ${[...works.keys()].join(', ')}. See prismapi policies --help.`)
    const load = works.get(name)
    if (load) return (await load())({ ...input, positionals }, terminal)
    const meant = nearest(name, [...works.keys()])
    throw new UsageError(
      `policies knows no "${name}". ${meant ? `Did you mean ${meant}?` : `There are ${[...works.keys()].join(', ')}.`}`,
    )
  },
}

type Work = (input: Input, terminal: Terminal) => Promise<void>

const works: ReadonlyMap<string, () => Promise<Work>> = new Map([
  ['assert', async () => (await import('./assert.ts')).assertPolicies],
  ['diff', async () => (await import('./diff.ts')).diffPolicies],
  ['coverage', async () => (await import('./coverage.ts')).coveragePolicies],
  ['mutate', async () => (await import('./mutate.ts')).mutatePolicies],
  ['who', async () => (await import('./who.ts')).whoPolicies],
])
