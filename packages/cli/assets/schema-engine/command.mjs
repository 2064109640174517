import { openDatabase } from './database.mjs'

const commands = {
  'can-connect-to-database': (database) => database.check(),
  'create-database': (database) => database.create(),
}

/** `schema-engine … cli <command>`: answers with the exit code, and on stderr with the reason. */
export async function runCommand({ command, datasource }) {
  try {
    const run = commands[command]
    if (!run) throw new Error(`unknown command ${command}`)
    await run(await openDatabase(datasource))
    return 0
  } catch (error) {
    // The CLI throws the first line away, and parses every other one.
    log('INFO', { message: 'Starting schema engine CLI' })
    log('ERROR', { message: error.message, is_panic: false, error_code: error.code ?? 'P1011' })
    return 1
  }
}

function log(level, fields) {
  const line = { timestamp: new Date().toISOString(), level, fields, target: 'schema_engine::logger' }
  process.stderr.write(`${JSON.stringify(line)}\n`)
}
