import { all, equalsEach } from '../../condition/build.ts'
import type { Reader } from '../../database/reader.ts'
import type { Row } from '../../model/where.ts'
import { rowsThat } from '../../proof/confirm/ask.ts'
import type { PolicyModel } from '../../proof/model/policy-model.ts'
import { Prover } from '../../proof/prover.ts'
import { type Answer, whoMay } from '../../proof/who.ts'
import type { CompiledServer } from '../../server/compile.ts'
import { type Input, UsageError } from '../command.ts'
import type { Terminal } from '../terminal.ts'
import { openReader, readApplication } from './application.ts'

/** `prismapi policies who`: who may do something with a row, by the database as it is. */
export async function whoPolicies({ root, values, positionals }: Input, terminal: Terminal): Promise<void> {
  const [action, named, ...rest] = positionals
  if (action === undefined || named === undefined || rest.length > 0)
    throw new UsageError('Usage: prismapi policies who <action> <type>/<id> [--server=<server>] [--json]')
  const [type = '', ...parts] = named.split('/')
  const id = parts.length === 0 ? null : parts.join('/')
  const app = await readApplication(root)
  const prover = new Prover(app)
  const servers = app.servers.filter(
    ({ name, schemas }) => schemas.byType.has(type) && (values.server === undefined || values.server === name),
  )
  if (servers.length === 0)
    throw new UsageError(`There is no type "${type}"${values.server === undefined ? '' : ` on ${values.server}`}.`)
  const model = await prover.model()
  const { reader, close } = await openReader(root, app.resources)
  try {
    const answers: Answer[] = []
    for (const server of servers) answers.push(await answerOf(prover, { server, model, reader, action, type, id }))
    const [answer] = answers as [Answer]
    if (answers.some((each) => JSON.stringify(each) !== JSON.stringify(answer)))
      throw new UsageError(
        `The servers do not agree: say ${servers.map(({ name }) => `--server=${name}`).join(' or ')}.`,
      )
    terminal.say(values.json === true ? JSON.stringify(answer, null, 2) : page(answer, named, action))
  } finally {
    await close()
    await prover.close()
  }
}

interface Asked {
  readonly server: CompiledServer
  readonly model: PolicyModel
  readonly reader: Reader
  readonly action: string
  readonly type: string
  readonly id: string | null
}

async function answerOf(
  { app, personas, now }: Prover,
  { server, model, reader, action, type, id }: Asked,
): Promise<Answer> {
  const schema = server.schemas.byType.get(type)
  const entries = model.filter(
    (entry) => entry.server === server.name && entry.model === schema?.model.name && entry.action === action,
  )
  const [entry] = entries
  if (!schema || !entry) throw new UsageError(`${type} on ${server.name} has no action "${action}".`)
  if (entry.onRow !== (id !== null))
    throw new UsageError(entry.onRow ? `Say which row: ${type}/<id>.` : `${action} is about no row: say ${type}.`)
  const row = id === null ? null : await rowOf(reader, schema, id)
  try {
    return await whoMay({ app, personas, entries, row, reader, now })
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error })
  }
}

async function rowOf(
  reader: Reader,
  { id: field, model, type }: NonNullable<ReturnType<CompiledServer['schemas']['byType']['get']>>,
  id: string,
): Promise<Row> {
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

function page({ guest, users, undecided }: Answer, named: string, action: string): string {
  const list = (keys: readonly string[]) => (keys.length === 0 ? 'none' : keys.join(', '))
  return [
    `${action} ${named}`,
    `  guests     ${guest ? 'may' : 'may not'}`,
    `  users      ${list(users)}`,
    ...(undecided.length === 0
      ? []
      : [
          `  undecided  ${list(undecided)}: code decides that needs a request, or more users than are asked one by one`,
        ]),
  ].join('\n')
}
