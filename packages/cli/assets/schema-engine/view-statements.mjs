import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The views that the migrations in a folder add up to, in the order in which they are made: `name`, how the migration spells it
 * (`identifier`), its `kind`, the statement that makes it and the migration.
 */
export function viewsOfMigrations(folder) {
  const views = new Map()
  for (const migration of migrationsIn(folder)) {
    for (const sql of statementsOf(readFileSync(join(folder, migration, 'migration.sql'), 'utf8'))) {
      const [, verb, kind, identifier] = viewStatement.exec(sql) ?? []
      if (!identifier) continue
      const name = nameIn(identifier)
      // One that is made anew comes after what it may need by now.
      views.delete(name)
      if (/^create/i.test(verb)) views.set(name, { name, identifier, kind, sql, migration })
    }
  }
  return [...views.values()]
}

const migrationsIn = (folder) =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => existsSync(join(folder, name, 'migration.sql')))
        .sort()
    : []

const word = /(?:"[^"]+"|`[^`]+`|\[[^\]]+\]|[\w$]+)/.source
const viewStatement = new RegExp(
  `^(CREATE(?:\\s+OR\\s+REPLACE)?|DROP)\\s+(?:TEMP(?:ORARY)?\\s+|RECURSIVE\\s+)?((?:MATERIALIZED\\s+)?VIEW)\\s+(?:IF\\s+(?:NOT\\s+)?EXISTS\\s+)?(${word}(?:\\s*\\.\\s*${word})?)`,
  'i',
)

/** How names are compared: without a schema before them, quotes, and letter case, which only quotes keep. */
export const nameIn = (identifier) =>
  identifier
    .split('.')
    .at(-1)
    .trim()
    .replace(/^["`[]|["`\]]$/g, '')
    .toLowerCase()

// Texts, names and comments, in which a semicolon ends nothing; the last is what lies between dollars.
const token = /('(?:[^']|'')*'|"[^"]*"|`[^`]*`|\$(\w*)\$[\s\S]*?\$\2\$)|--.*$|\/\*[\s\S]*?\*\/|;/gm

/** What a script says, statement by statement, without comments. A trigger is cut into pieces, none of which makes a view. */
function statementsOf(script) {
  const end = '\0'
  const bare = script.replaceAll(token, (found, text) => text ?? (found === ';' ? end : ' '))
  return bare
    .split(end)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
}
