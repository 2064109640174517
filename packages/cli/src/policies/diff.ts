import { type Change, type Differences, differences } from '@prismapi/proof/differences'
import { Prover } from '@prismapi/proof/prover'
import { type Input, UsageError } from '../command.ts'
import type { Terminal } from '../terminal.ts'
import { readApplication, serversNamed } from './application.ts'
import { type OtherCheckout, openCheckout } from './other-checkout.ts'

/**
 * `prismapi policies diff`: what the policies of one checkout allow and those of another do not, in both directions.
 */
export async function diffPolicies({ root, values, positionals }: Input, terminal: Terminal): Promise<void> {
  const [folder, ...rest] = positionals
  if (folder === undefined || rest.length > 0)
    throw new UsageError('Usage: prismapi policies diff <other checkout> [--server=<server>] [--json]')
  const other = openCheckout(folder, root)
  try {
    await tellDifferences(new Prover(serversNamed(await readApplication(root), values.server)), other, {
      named: values.server,
      json: values.json === true,
      terminal,
    })
  } finally {
    other.close()
  }
}

interface Told {
  /** The only server that is looked at; undefined for all. */
  readonly named: unknown
  readonly json: boolean
  readonly terminal: Terminal
}

async function tellDifferences(prover: Prover, other: OtherCheckout, { named, json, terminal }: Told): Promise<void> {
  const { personas, app } = prover
  try {
    const asked = { personas, userType: app.userType }
    const [here, all] = await Promise.all([prover.model(), other.model(asked)])
    const there = named === undefined ? all : all.filter(({ server }) => server === named)
    const found = await differences(prover, here, there)
    const { changes, opaque } = found
    terminal.say(json ? JSON.stringify({ changes, opaque }, null, 2) : diffPage(found, terminal))
    if (changes.length > 0) throw new UsageError(`${changes.length} ${changes.length === 1 ? 'change' : 'changes'}.`)
  } finally {
    await prover.close()
  }
}

function diffPage({ changes, opaque, callers }: Differences, terminal: Terminal): string {
  const sections = [
    ...(changes.length === 0
      ? ['The policies allow the same.']
      : [table(changes, callers), sentences(changes, callers, terminal)]),
    ...(opaque.length === 0
      ? []
      : [
          [
            'not known, because code decides:',
            ...opaque.map(({ model, action, reason }) => `  ${model} ${action}: ${reason}`),
          ].join('\n'),
        ]),
  ]
  return sections.join('\n\n')
}

/** A row for each model and action, a column for each kind of caller: `+` gains, `-` loses, `±` both. */
function table(changes: readonly Change[], callers: readonly string[]): string {
  const columns = [...new Set(callers)]
  const rows = new Map<string, string[]>()
  for (const [i, { model, action, field, by, is }] of changes.entries()) {
    const name = `${model} ${action}${field === undefined ? '' : `.${field}`}${by === undefined ? '' : `, by ${by}`}`
    const cells = rows.get(name) ?? columns.map(() => '')
    const at = columns.indexOf(callers[i] as string)
    cells[at] = cells[at] === '' ? (is === 'allowed' ? '+' : '-') : '±'
    rows.set(name, cells)
  }
  const width = Math.max(...[...rows.keys()].map((name) => name.length))
  const line = (name: string, cells: readonly string[]) =>
    `  ${name.padEnd(width)}  ${cells.map((cell, i) => cell.padEnd((columns[i] as string).length)).join('  ')}`.trimEnd()
  return [line('', columns), ...[...rows].map(([name, cells]) => line(name, cells))].join('\n')
}

/** One for all actions that the same caller gains, or loses, on the same row. */
function sentences(changes: readonly Change[], callers: readonly string[], { paint }: Terminal): string {
  const groups = new Map<string, { readonly change: Change; readonly caller: string; readonly actions: string[] }>()
  for (const [i, change] of changes.entries()) {
    const { model, action, field, by, is, row, who, servers } = change
    const key = JSON.stringify([callers[i], model, is, row, who, servers])
    const named = `${action}${field === undefined ? '' : ` of ${field}`}${by === undefined ? '' : ` by ${by}`}`
    const group = groups.get(key)
    if (group) group.actions.push(named)
    else groups.set(key, { change, caller: callers[i] as string, actions: [named] })
  }
  return [...groups.values()]
    .map(({ change: { model, is, row, who, servers }, caller, actions }) => {
      const verb = is === 'allowed' ? paint('red', 'gains') : paint('yellow', 'loses')
      const on = `${row === null ? model : `some ${model}`}${servers ? ` (${servers.join(', ')} only)` : ''}`
      const head = `${caller} ${verb} ${actions.join(', ')} on ${on}`
      return [head, `  who ${JSON.stringify(who)}`, ...(row ? [`  row ${JSON.stringify(row)}`] : [])].join('\n')
    })
    .join('\n')
}
