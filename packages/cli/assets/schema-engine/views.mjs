import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { print } from './rpc.mjs'
import { nameIn, viewsOfMigrations } from './view-statements.mjs'

/**
 * `prisma db push` makes tables and no views. The views of the schema are made as the migrations make them; where no migration
 * does, a line says so. They are gone while the tables change: a database refuses to change what a view reads.
 */
export async function pushWithViews(db, push, params) {
  const declared = viewsOfSchema(params.schema.files)
  if (declared.length === 0) return push(params)
  const connection = await db.factory.connect()
  const names = new Set(declared.map(nameIn))
  const known = viewsOfMigrations(await migrationsFolder(params.schema.files)).filter(({ name }) => names.has(name))
  for (const { identifier, kind } of known.toReversed())
    if (await db.isView(connection, identifier)) await connection.executeScript(`DROP ${kind} ${identifier};`)
  try {
    const result = await push(params)
    for (const name of declared) {
      const isMissing = !known.some((view) => view.name === nameIn(name)) && !(await db.isView(connection, `"${name}"`))
      if (isMissing) await print(`The view ${name} is in no migration: write CREATE VIEW "${name}" AS … into one.`)
    }
    return result
  } finally {
    for (const view of known) await make(connection, view)
  }
}

async function make(connection, { identifier, sql, migration }) {
  try {
    await connection.executeScript(`${sql};`)
  } catch (error) {
    const { originalMessage = error.message } = error.cause ?? {}
    await print(`The view ${identifier} of the migration ${migration} was not made: ${originalMessage}`)
  }
}

/** The names of a schema's views in the database. */
function viewsOfSchema(files) {
  const bare = files.map(({ content }) => content.replaceAll(/("(?:[^"\\\n]|\\.)*")|\/\/.*$/gm, '$1')).join('\n')
  return [...bare.matchAll(/^\s*view\s+(\w+)\s*\{([\s\S]*?)^\s*\}/gm)].map(
    ([, name, body]) => /@@map\(\s*(?:name:\s*)?"([^"]+)"/.exec(body)?.[1] ?? name,
  )
}

/** Where Prisma's configuration has the migrations, or beside the schema. */
async function migrationsFolder(files) {
  const fromPrisma = createRequire(createRequire(import.meta.url).resolve('prisma/package.json'))
  const { config } = await fromPrisma('@prisma/config').loadConfigFromFile({ configRoot: process.cwd() })
  const [root] = files.map(({ path }) => dirname(path)).sort((a, b) => a.length - b.length)
  return config?.migrations?.path ?? join(root, 'migrations')
}
