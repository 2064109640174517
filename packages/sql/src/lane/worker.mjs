// Runs the statements of one request after the other on a read-only connection, in a thread beside the event loop.
// Plain JavaScript, so that the sources and the package start it alike; `thread.ts` has the messages and their types.
import { parentPort, workerData } from 'node:worker_threads'
import Sqlite from 'better-sqlite3'

const keptStatements = 200
// Neither thread then holds an answer twice, and the event loop does other work between its parts.
const rowsOfPart = 1000

const connection = new Sqlite(workerData.file, { readonly: true, fileMustExist: true })
// A thread can be ended where it runs JavaScript: the statements call this once for some hundred rows.
connection.function('still_wanted', { varargs: true }, () => 1)
const begin = connection.prepare('BEGIN')
const commit = connection.prepare('COMMIT')
const statements = new Map()

function statementFor(sql) {
  const known = statements.get(sql)
  if (known) return known
  if (statements.size >= keptStatements) statements.clear()
  const statement = connection.prepare(sql).safeIntegers(false).raw()
  statements.set(sql, statement)
  return statement
}

const lengthOf = (row) => row.reduce((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0)

function run({ sql, values, characters }) {
  if (!connection.inTransaction) begin.run()
  let part = []
  let left = characters
  for (const row of statementFor(sql).iterate(...values)) {
    left -= lengthOf(row)
    if (left < 0) return { kind: 'tooMuchText' }
    part.push(row)
    if (part.length < rowsOfPart) continue
    parentPort.postMessage({ kind: 'part', rows: part })
    part = []
  }
  return { kind: 'rows', rows: part }
}

parentPort.postMessage({ kind: 'ready' })

parentPort.on('message', (message) => {
  if (message === 'end') {
    if (connection.inTransaction) commit.run()
    return
  }
  try {
    parentPort.postMessage(run(message))
  } catch (error) {
    parentPort.postMessage({ kind: 'failed', message: error.message, code: error.code })
  }
})
