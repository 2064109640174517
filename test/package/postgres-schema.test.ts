import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { schemaFor } from '../../scripts/database/schema-for.ts'

const read = (file: string): string => readFileSync(path.resolve(import.meta.dirname, '../..', file), 'utf8')
// Prisma's formatter moves what it stands in columns.
const unaligned = (schema: string): string => schema.replace(/ +/g, ' ')

test('the schema for PostgreSQL is the one for SQLite, as `npm run schema:postgres` makes it', () => {
  const [note, ...rest] = read('prisma/postgresql/schema.prisma').split('\n\n')
  expect(note).toBe('// Made of prisma/schema.prisma by "npm run schema:postgres": change the models there.')
  expect(unaligned(rest.join('\n\n'))).toBe(
    unaligned(schemaFor('postgresql', read('prisma/schema.prisma'), '../generated')),
  )
})

test('it has the models with instants to the millisecond', () => {
  const schema = `datasource db {\n  provider = "sqlite"\n}\nmodel A {\n  at  DateTime?\n  on DateTime @default(now())\n}`
  expect(schemaFor('postgresql', schema, '.')).toBe(
    `datasource db {\n  provider = "postgresql"\n}\nmodel A {\n  at  DateTime? @db.Timestamptz(3)\n  on DateTime @default(now()) @db.Timestamptz(3)\n}`,
  )
})
