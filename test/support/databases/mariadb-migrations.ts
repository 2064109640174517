import { readMigrations } from './migrations.ts'

// Prisma's WebAssembly engine knows no MySQL, so nothing writes migrations for it: they are made of those for PostgreSQL.
// In MySQL what is indexed has a length, and an enum belongs to its column. No triggers log changes there.

const indexed = /^ {4}"(id|slug|email|name|videoId|B|model|key)" TEXT/

/** The migrations of the example for MariaDB, a statement each, for a session that takes `"` for names. */
export function mariadbMigrations(): readonly string[] {
  const sql = readMigrations('prisma/postgresql/migrations')
    .filter((migration) => !migration.includes('-- prismapi live '))
    .join('\n')
  const enums = new Map(
    [...sql.matchAll(/CREATE TYPE ("\w+") AS (ENUM \(.+?\));/g)].map(([, name, type]) => [name, type]),
  )
  const statements = sql
    .replace(/^--.*$/gm, '')
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '' && !/^CREATE (SCHEMA|TYPE)/.test(statement))
  return statements.map((statement) =>
    statement
      .split('\n')
      .map((line) => line.replace(indexed, '    "$1" VARCHAR(191)'))
      .join('\n')
      .replace(/^( {4}"\w+") ("\w+")/gm, (line, column, type) =>
        enums.has(type) ? `${column} ${enums.get(type)}` : line,
      )
      .replaceAll(' BIGSERIAL NOT NULL', ' BIGINT NOT NULL AUTO_INCREMENT')
      .replaceAll(' JSONB', ' JSON')
      .replaceAll(' SERIAL NOT NULL', ' INTEGER NOT NULL AUTO_INCREMENT')
      .replaceAll('TIMESTAMPTZ(3)', 'DATETIME(3)')
      .replaceAll('CURRENT_TIMESTAMP', 'CURRENT_TIMESTAMP(3)')
      .replaceAll(' TEXT', ' LONGTEXT')
      // No check may look at a column that a foreign key can change.
      .replace(' ON UPDATE CASCADE', ''),
  )
}
