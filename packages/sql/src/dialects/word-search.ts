import type { Words } from '@prismapi/jsonapi/condition/condition'
import type { ColumnMeta, SearchMeta } from '@prismapi/jsonapi/model/meta'
import { parseSearch } from '@prismapi/jsonapi/query/search-text'
import { sql } from 'kysely'
import type { Sql, WordSearch } from './dialect.ts'

// The order of what is found depends on the row alone: a rank by how rare a word is would tell of rows that the caller
// does not see.

/** By PostgreSQL's own: the index is of the same expression, of all columns. */
export const postgresWords: WordSearch = {
  bind: (text) => text,
  matches(alias, words, { text, table }) {
    const query = queryOf(words, text)
    if (words.seen.length < words.columns.length) return sql`${vectorOf(alias, words)} @@ ${query}`
    // By itself the index is used. Beside an order, the planner would rather read each row's texts in that order.
    const found = sql`select ctid from ${table} as ${sql.id('words')} where ${vectorOf('words', words)} @@ ${query}`
    return sql`${sql.id(alias)}.ctid = any(array(${found}))`
  },
  rankedBy: (text) => [text],
  rank: (alias, words, [text]) => sql`ts_rank(${vectorOf(alias, words)}, ${queryOf(words, text as Sql)})`,
}

const queryOf = ({ language }: SearchMeta, text: Sql): Sql =>
  sql`websearch_to_tsquery(${sql.lit(language)}::regconfig, ${text})`

/** `prismapi search` writes the same. */
const vectorOf = (alias: string, { columns, seen, language }: Words): Sql =>
  sql`(${sql.join(
    seen.map((column) => {
      const text = sql`coalesce(${sql.id(alias, column.column)}, '')`
      return sql`setweight(to_tsvector(${sql.lit(language)}::regconfig, ${text}), ${sql.lit(weights[columns.indexOf(column)])})`
    }),
    sql` || `,
  )})`

const weights = ['A', 'B', 'C', 'D']

/** By FTS5, in a table beside the one that is searched. */
export const sqliteWords: WordSearch = {
  bind: (text, { seen }) => matchOf(text, seen),
  matches: (alias, { index }, { text }) => foundIn(alias, index, text),
  rankedBy: (text, { seen }) => seen.map((column) => matchOf(text, [column])),
  // A row that has all in a weighty field comes before those that have it in others.
  rank: (alias, { index }, texts) =>
    sql`(${sql.join(
      texts.map((text, i) => sql`${sql.lit(2 ** (texts.length - 1 - i))} * (${foundIn(alias, index, text)})`),
      sql` + `,
    )})`,
}

const foundIn = (alias: string, index: string, text: Sql): Sql =>
  sql`${sql.id(alias)}.rowid in (select rowid from ${sql.id(index)} where ${sql.id(index)} match ${text})`

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
