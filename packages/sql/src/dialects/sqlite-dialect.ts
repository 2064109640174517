import type { Bound } from '@prismapi/core/database/sql-database'
import type { InstantPart } from '@prismapi/jsonapi/schema/statistics'
import { SqliteQueryCompiler, sql } from 'kysely'
import { sqliteCodecs } from '../codecs/sqlite-codecs.ts'
import type { Dialect, Sql } from './dialect.ts'

export const sqliteDialect: Dialect = {
  provider: 'sqlite',
  ignoresCase: false,
  // What pages ask for at the most, and one more.
  maxLiteralLimit: 101,
  carriesRows: true,
  // SQLite looks at the value of a bare parameter here, and so
  // prepares the statement again for each one: it must not see one.
  limited: (rows, { number, offset }) => sql`${rows} limit (${number} + 0)${offset}`,
  codecsOf: sqliteCodecs,
  // One text for a list of any length: there is one statement for all of them, and no end of the variables.
  bindList: (values, { fitsJson }) => (fitsJson && values.every(isExact) ? jsonList(values) : null),
  isAmong: (column, list) => sql`${column} in (select value from json_each(${list}))`,
  // LIKE begins anew at each letter of the column: a thousand times as long for a text of a thousand letters.
  search(column, search, text) {
    if (search === 'contains') return sql`instr(lower(${column}), lower(${text})) > 0`
    const part =
      search === 'startsWith' ? sql`substr(${column}, 1, length(${text}))` : sql`substr(${column}, -length(${text}))`
    return sql`lower(${part}) = lower(${text})`
  },
  selected: (column, _, { isText }) => (isText ? sql`cast(${column} as text)` : column),
  instant: (column, stored) => (stored === 'both' ? sql`substr(${column}, 1, 23) || '+00:00'` : ofAnySpelling(column)),
  // An instant is a text of any offset, or the milliseconds since 1970.
  instantPart(column, part) {
    const format = sql.lit(formats[part])
    return sql`case typeof(${column}) when 'integer' then strftime(${format}, ${column} / 1000.0, 'unixepoch') else strftime(${format}, ${column}) end`
  },
  // A sum beyond 64 bits is an error to SQLite: the halves of the numbers are added apart.
  sum(column, { type }) {
    if (type === 'BigInt') return sql`sum(${column} >> 32) || ':' || sum(${column} & 4294967295)`
    return type === 'Int' ? sql`cast(sum(${column}) as text)` : sql`sum(${column})`
  },
  sumOrder: (column, { type }) => (type === 'BigInt' ? sql`avg(${column}) * count(${column})` : sql`sum(${column})`),
  average: (column) => sql`avg(${column})`,
  compiler: () => new SqliteQueryCompiler(),
}

/** As the codec reads it: to the millisecond, which is cut off and not rounded, and in UTC where no zone is named. */
function ofAnySpelling(column: Sql): Sql {
  const usual = sql`${column} glob '????-??-??T??:??:??.???+00:00'`
  const counted = sql`strftime('%Y-%m-%dT%H:%M:%f+00:00', ${column} / 1000.0, 'unixepoch')`
  const zone = sql`trim(ltrim(substr(${column}, 20), '.0123456789'))`
  const minutes = sql`case length(${zone}) when 3 then '00' else substr(${zone}, -2) end`
  const offset = sql`case when ${zone} in ('', 'Z', 'z') then '' else substr(${zone}, 1, 3) || ':' || ${minutes} end`
  const seconds = sql`strftime('%Y-%m-%dT%H:%M:%S', substr(${column}, 1, 19) || ${offset})`
  const digits = sql`case when substr(${column}, 20, 1) = '.' then rtrim(substr(${column}, 21, 3), 'Zz+- ') else '' end`
  const spelt = sql`${seconds} || '.' || substr(${digits} || '000', 1, 3) || '+00:00'`
  return sql`case when ${usual} then ${column} when typeof(${column}) = 'text' then ${spelt} else ${counted} end`
}

/** The function that a statement calls for few of its rows, in JavaScript, where alone it can be ended. */
export const stillWanted = 'still_wanted'

/**
 * The same for statements that may be ended: of threads beside the event loop, and those that are tried inside of it.
 */
export const laneDialect: Dialect = {
  ...sqliteDialect,
  endable: (column) => sql`(random() & 255 <> 0 or ${sql.raw(stillWanted)}(${column}))`,
}

const formats: Readonly<Record<InstantPart, string>> = {
  year: '%Y',
  month: '%Y-%m',
  week: '%G-W%V',
  day: '%Y-%m-%d',
}

// SQLite's JSON has neither the null character nor halves of characters.
const isExact = (value: Bound): boolean => typeof value !== 'string' || (value.isWellFormed() && !value.includes('\0'))

// JSON.stringify knows no bigint; SQLite's JSON knows integers of 64 bits.
const jsonList = (values: readonly Bound[]): string =>
  `[${values.map((value) => (typeof value === 'bigint' ? value : JSON.stringify(value))).join()}]`
