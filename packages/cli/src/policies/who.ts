import type { Reader } from '@prismapi/core/database/reader'
import type { CompiledServer } from '@prismapi/core/server/compile'
import { all, equalsEach } from '@prismapi/jsonapi/condition/build'
import type { Row } from '@prismapi/jsonapi/model/where'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { unknownName } from '@prismapi/proof/assertion'
import { rowsThat } from '@prismapi/proof/confirm/ask'
import type { Entry, PolicyModel } from '@prismapi/proof/model/policy-model'
import { Prover } from '@prismapi/proof/prover'
import { type Answer, whoMay } from '@prismapi/proof/who'
import { type Input, UsageError } from '../command.ts'
import type { Terminal } from '../terminal.ts'
import { chosenServers, readApplication } from './application.ts'
import { openReader } from './open-reader.ts'

/** `prismapi policies who`: who may do something with a row, by the database as it is. */
export async function whoPolicies({ root, values, positionals }: Input, terminal: Terminal): Promise<void> {
  const [action, named, ...rest] = positionals
  if (action === undefined || named === undefined || rest.length > 0)
    throw new UsageError('Usage: prismapi policies who <action> <type>/<id> [--server=<server>] [--json]')
  const [type = '', ...parts] = named.split('/')
  const id = parts.length === 0 ? null : parts.join('/')
  const app = await readApplication(root)
  const prover = new Prover(app)
  const servers = serversWith(type, app.servers, values.server)
  const model = await prover.model()
  const asked = servers.map((server) => entriesOf(model, { server, action, type, id }))
  const { reader, close } = await openReader(root, app.resources)
  try {
    const answers: Answer[] = []
    for (const each of asked) answers.push(await answerOf(prover, each, { reader, id }))
    const [answer] = answers as [Answer]
    if (answers.some((each) => said(each) !== said(answer)))
      throw new UsageError(
        `The servers do not agree: say ${servers.map(({ name }) => `--server=${name}`).join(' or ')}.`,
      )
    const { guest, users, undecided, reasons, faults, by, code } = answer
    terminal.say(
      values.json === true
        ? JSON.stringify({ guest, users, undecided, ...(by.length > 0 && { by }) }, null, 2)
        : page(answer, named, action),
    )
    for (const [reason, callers] of reasons) terminal.complain(`undecided for ${callersOf(callers)}: ${reason}`)
    for (const each of code) terminal.complain(`not counted, because code decides: ${each}`)
    if (faults.size === 0) return
    const told = [...faults].map(([fault, callers]) => `it threw for ${callersOf(callers)}: ${fault}`)
    throw new UsageError(`The code that decides is faulty, so these callers are undecided:\n${told.join('\n')}`)
  } finally {
    await close()
    await prover.close()
  }
}

const callersOf = (count: number): string => `${count} ${count === 1 ? 'caller' : 'callers'}`

function serversWith(type: string, all: readonly CompiledServer[], named: unknown): readonly CompiledServer[] {
  const servers = chosenServers(all, named)
  const found = servers.filter(({ schemas }) => schemas.byType.has(type))
  if (found.length > 0) return found
  throw unknown(
    named === undefined ? 'type' : `type on ${named} called`,
    type,
    servers.flatMap(({ schemas }) => [...schemas.byType.keys()]),
  )
}

const unknown = (...asked: Parameters<typeof unknownName>): UsageError => new UsageError(unknownName(...asked).message)

const said = ({ guest, users, undecided, by }: Answer): string => JSON.stringify([guest, users, undecided, by])

interface WhoQuery {
  readonly server: CompiledServer
  readonly action: string
  readonly type: string
  readonly id: string | null
}

interface Entries {
  readonly schema: ResourceSchema
  /** One for each kind of caller. */
  readonly entries: readonly Entry[]
}

function entriesOf(model: PolicyModel, { server, action, type, id }: WhoQuery): Entries {
  const schema = server.schemas.byType.get(type) as ResourceSchema
  const known = model.filter((entry) => entry.server === server.name && entry.model === schema.model.name)
  const entries = known.filter((entry) => entry.action === action)
  const [entry] = entries
  if (!entry)
    throw unknown(
      `action of ${type} on ${server.name} called`,
      action,
      known.map((each) => each.action),
    )
  if (entry.onRow !== (id !== null))
    throw new UsageError(entry.onRow ? `Say which row: ${type}/<id>.` : `${action} is about no row: say ${type}.`)
  return { schema, entries }
}

async function answerOf(
  { app, personas, now }: Prover,
  { schema, entries }: Entries,
  { reader, id }: { readonly reader: Reader; readonly id: string | null },
): Promise<Answer> {
  try {
    const row = id === null ? null : await rowOf(reader, schema, id)
    return await whoMay({ app, personas, entries, row, reader, now })
  } catch (error) {
    const { message, cause } = error as Error
    // A database that does not answer is 503 to clients; here the driver may say why.
    throw new UsageError((cause instanceof Error && cause.message) || message, { cause: error })
  }
}

async function rowOf(reader: Reader, { id: field, model, type }: ResourceSchema, id: string): Promise<Row> {
  const key = field.parse(id)
  const columns = Object.values(model.columns).filter(({ type: of, isList }) => of !== 'Json' && !isList)
  const [row] =
    key === null
      ? []
      : await rowsThat(reader, model, {
          columns: columns.map(({ name }) => name),
          condition: all(...equalsEach(model, key)),
        })
  if (!row) throw new UsageError(`There is no ${type}/${id}.`)
  return row
}

function page({ guest, users, undecided, by }: Answer, named: string, action: string): string {
  const list = (keys: readonly string[]) => (keys.length === 0 ? 'none' : keys.join(', '))
  return [
    `${action} ${named}`,
    `  guests     ${guest ? 'may' : 'may not'}`,
    `  users      ${list(users)}`,
    ...by.map((each) => `  ${[...(each.guest ? ['guests'] : []), ...each.users].join(', ')}: only by ${each.by}`),
    ...(undecided.length === 0 ? [] : [`  undecided  ${list(undecided)}`]),
  ].join('\n')
}
