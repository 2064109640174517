import type { Words } from '@prismapi/jsonapi/condition/condition'
import type { ColumnMeta } from '@prismapi/jsonapi/model/meta'
import { parseSearch } from '@prismapi/jsonapi/query/search-text'
import { sql } from 'kysely'
import type { Looked, Sql, WordSearch } from './dialect.ts'

// The order of what is found depends on the row alone: a rank by how rare a word is would tell of rows that the caller
// does not see. A row that has all in a weighty field comes before those that have it in others.

/** By PostgreSQL's own: an index of all columns together, and one of each, by which rows are ranked. */
export const postgresWords: WordSearch = {
  bind: (text) => text,
  matches(alias, words, looked) {
    const { columns, seen, key } = words
    if (seen.length > 1 && seen.length < columns.length) return isMet(alias, words, looked.text)
    // By itself the index is used. Beside an order, the planner would rather read each row's texts in that order.
    const [only, ...others] = key as [ColumnMeta, ...ColumnMeta[]]
    return others.length === 0
      ? sql`${sql.id(alias, only.column)} = any(array(${keysOf(words, looked)}))`
      : isAmong(alias, words, looked)
  },
  rankedBy: (text, { seen }) => seen.map(() => text),
  rank: (alias, words, texts) =>
    weighed(
      texts.map(({ text, table }, i) => {
        const field = { ...words, seen: [words.seen[i] as ColumnMeta] }
        return sql`(${isAmong(alias, field, { text, table })})::int`
      }),
    ),
}

/** Not by the place of a row, which rows in two parts of a table may share. */
const isAmong = (alias: string, words: Words, looked: Looked): Sql =>
  sql`(${keyAt(alias, words)}) in (${keysOf(words, looked)} offset 0)`

/** Read by one process: to start parallel ones takes longer than the search, and none is started for its function. */
const keysOf = (words: Words, { text, table }: Looked): Sql =>
  sql`select ${keyAt('words', words)} from ${table} as ${sql.id('words')} where pg_backend_pid() > 0 and ${isMet('words', words, text)}`

const keyAt = (alias: string, { key }: Words): Sql => sql.join(key.map(({ column }) => sql.id(alias, column)))

/** `prismapi search` writes the same texts into its indexes. */
function isMet(alias: string, { seen, language }: Words, text: Sql): Sql {
  const configuration = sql`${sql.lit(language)}::regconfig`
  const texts = seen.map(({ column }) => sql`to_tsvector(${configuration}, coalesce(${sql.id(alias, column)}, ''))`)
  return sql`(${sql.join(texts, sql` || `)}) @@ websearch_to_tsquery(${configuration}, ${text})`
}

/** By FTS5, in a table beside the one that is searched. */
export const sqliteWords: WordSearch = {
  bind: (text, { seen }) => matchOf(text, seen),
  matches: (alias, { index }, { text }) => foundIn(alias, index, text),
  rankedBy: (text, { seen }) => seen.map((column) => matchOf(text, [column])),
  rank: (alias, { index }, texts) => weighed(texts.map(({ text }) => sql`(${foundIn(alias, index, text)})`)),
}

const foundIn = (alias: string, index: string, text: Sql): Sql =>
  sql`${sql.id(alias)}.rowid in (select rowid from ${sql.id(index)} where ${sql.id(index)} match ${text})`

const weighed = (found: readonly Sql[]): Sql =>
  sql`(${sql.join(
    found.map((each, i) => sql`${sql.lit(2 ** (found.length - 1 - i))} * ${each}`),
    sql` + `,
  )})`

/** A search in columns, in the language of FTS5, in which all but its own signs stands in quotes. */
function matchOf(text: string, columns: readonly ColumnMeta[]): string {
  const groups = parseSearch(text).map((terms) => {
    const quoted = (isDenied: boolean) =>
      terms.filter((term) => term.isDenied === isDenied).map((term) => `"${term.text}"`)
    return [quoted(false).join(' AND '), ...quoted(true)].join(' NOT ')
  })
  const names = columns.map(({ column }) => `"${column.replaceAll('"', '""')}"`)
  return `{${names.join(' ')}} : (${groups.map((group) => `(${group})`).join(' OR ')})`
}
