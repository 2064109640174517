import { literal } from '@prismapi/core/database/tables'
import type { ColumnMeta, EnumMeta } from '@prismapi/jsonapi/model/meta'
import type { Scalar, Term } from '../formula.ts'

/** A condition has a part that no policy of a table can say. */
export class NotInRows extends Error {}

export type Enums = Readonly<Record<string, EnumMeta>>

/** The value that a column is compared with. Claims and the time are in a SELECT, which runs once for a statement. */
export function termSql(term: Term, column: ColumnMeta, enums: Enums): string {
  if ('claim' in term) return `(SELECT prismapi_claim(${literal(term.claim)})::${typeOf(column)})`
  return 'now' in term ? `(SELECT ${instant(term.now, column)})` : scalarSql(term.value, column, enums)
}

/** A constant without a type: it is taken to be of the column's. */
function scalarSql(value: Scalar, column: ColumnMeta, enums: Enums): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value === 'string') return literal(column.isEnum ? (enums[column.type]?.stored[value] ?? value) : value)
  if (value === null) throw new NotInRows(`${column.name} is compared with null`)
  if ('instant' in value) return literal(value.instant)
  return 'bigint' in value ? value.bigint : value.decimal
}

/** Columns without a zone have the time in UTC. */
function instant(milliseconds: number, column: ColumnMeta): string {
  const now = milliseconds === 0 ? 'now()' : `now() + interval '${milliseconds} milliseconds'`
  return typeOf(column) === 'timestamptz' ? now : `(${now}) AT TIME ZONE 'UTC'`
}

const types: Readonly<Record<string, string>> = {
  String: 'text',
  Int: 'integer',
  BigInt: 'bigint',
  Float: 'double precision',
  Decimal: 'numeric',
  Boolean: 'boolean',
  DateTime: 'timestamp',
}

const natives: Readonly<Record<string, string>> = {
  Uuid: 'uuid',
  Char: 'bpchar',
  Citext: 'citext',
  Inet: 'inet',
  Timestamptz: 'timestamptz',
  Date: 'date',
  Time: 'time',
  Timetz: 'timetz',
}

/** The type in the database that a value has to have beside the column. */
function typeOf({ name, type, isEnum, isList, native }: ColumnMeta): string {
  const known = isEnum || isList ? undefined : (natives[native?.[0] ?? ''] ?? types[type])
  if (!known) throw new NotInRows(`${name}: its type is not compared with a claim here`)
  return known
}
