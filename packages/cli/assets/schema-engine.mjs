#!/usr/bin/env node
// Stands in for Prisma's native `schema-engine`, which the CLI would download: the same arguments and the same JSON-RPC
// on stdio, answered by Prisma's own WebAssembly build of the engine over a driver adapter. SQLite and PostgreSQL.
// Plain JavaScript, because Prisma spawns this file as a binary.
import { runCommand } from './schema-engine/command.mjs'
import { openDatabase } from './schema-engine/database.mjs'
import { startEngine } from './schema-engine/engine.mjs'
import { toMethods } from './schema-engine/methods.mjs'
import { parseOptions } from './schema-engine/options.mjs'
import { serve } from './schema-engine/rpc.mjs'

// `prisma --version` asks every binary for its own; this one has that of the package behind it.
if (process.argv.includes('--version')) {
  console.log('schema-engine-cli wasm')
  process.exit(0)
}

const options = parseOptions(process.argv.slice(2))
if (options.command) process.exit(await runCommand(options))

// Nothing opens before the first request that needs it: a database that is missing or away is an answer, not a crash.
const database = once(() => openDatabase(options.datasource))
const engine = once(async () => startEngine(options.datamodels, (await database()).factory))
// The CLI ends its requests and kills the engine in one breath: an exit of our own lets SQLite close its file.
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => process.exit(0))
await serve(toMethods({ database, engine }))
process.exit(0)

function once(open) {
  let opened
  return () => {
    opened ??= open()
    return opened
  }
}
