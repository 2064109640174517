import { all, equals, related, relationOf } from '../../condition/build.ts'
import { relatedNotFound } from '../../document/errors.ts'
import type { Awaitable } from '../../model/awaitable.ts'
import type { ColumnMeta, ModelMeta, RelationMeta, Resources } from '../../model/meta.ts'
import type { Row } from '../../model/where.ts'
import { joinTable } from '../join-table.ts'
import { quoted, quotedTable } from '../quoted.ts'
import type { Reader } from '../reader.ts'
import type { TableName } from '../sql-database.ts'
import type { Delegates } from '../store.ts'
import { delegateOf } from './delegates.ts'
import type { RawClient } from './raw-client.ts'

/** Whose links: those of a row by an implicit many-to-many relation. */
export interface LinksOf {
  readonly model: ModelMeta
  readonly relation: RelationMeta
  readonly row: Row
}

/** The rows of join tables, as a transaction changes them. */
export interface JoinRows {
  /** The ids of the rows that are linked, whether they may be seen or not. */
  linked(of: LinksOf): Awaitable<readonly Row[]>
  /**
   * Links rows, those that are linked already among them.
   *
   * @throws {JsonApiError} 404 where one of them has gone.
   */
  link(of: LinksOf, targets: readonly Row[]): Promise<void>
  /** Ends links; those that there are not are left alone. */
  unlink(of: LinksOf, targets: readonly Row[]): Promise<void>
}

/** Where the tables are. */
export interface JoinTables extends Pick<Resources, 'provider' | 'models'> {
  readonly schema: string | null
  /** Whether statements of our own are for this client, too. */
  readonly isInSql: boolean
}

/** A transaction, by Prisma Client. */
interface Inside {
  readonly client: Delegates
  readonly reader: Reader
}

/** In statements of our own, where each id is the same in them as in those of Prisma Client. */
export function joinRowsOf(inside: Inside, tables: JoinTables): JoinRows {
  const rowsOf = (of: LinksOf): JoinRows => {
    const table = tables.isInSql ? tableOf(of, tables) : null
    return table ? inSql(inside.client as unknown as RawClient, table) : byPrisma(inside, tables)
  }
  return {
    linked: (of) => rowsOf(of).linked(of),
    link: (of, targets) => rowsOf(of).link(of, targets),
    unlink: (of, targets) => rowsOf(of).unlink(of, targets),
  }
}

/** The join table with the two tables that it joins, their names quoted. */
interface Joining {
  readonly join: string
  readonly own: Side
  readonly other: Side
  /** The placeholder of the so-many-th value. */
  readonly value: (place: number) => string
}

interface Side {
  readonly table: string
  /** Prisma's name of the id. */
  readonly key: string
  readonly id: string
  /** The column of the join table that holds the id. */
  readonly link: string
}

const plainTypes: ReadonlySet<ColumnMeta['type']> = new Set(['Int', 'BigInt', 'String'])

function tableOf({ model, relation }: LinksOf, { provider, schema, models }: JoinTables): Joining | null {
  const table = joinTable(model, relation, models)
  const target = models[relation.model]
  if (!relation.join || !table || !target) return null
  const named = (it: TableName) => quotedTable({ table: it.table, dbSchema: it.dbSchema ?? schema })
  const sideOf = (side: ModelMeta, link: string): Side | null => {
    const [key = ''] = side.key
    const id = side.columns[key]
    if (!id || !plainTypes.has(id.type)) return null
    return { table: named(side), key, id: quoted(id.column), link: quoted(link) }
  }
  const [own, other] = [sideOf(model, relation.join.own), sideOf(target, relation.join.other)]
  if (!own || !other) return null
  return { join: named(table), own, other, value: (place) => (provider === 'sqlite' ? '?' : `$${place}`) }
}

/** As many values as every database takes in one statement. SQLite carries it out in a few milliseconds. */
const valuesAtOnce = 1000
/** So many links are read at once that others have their turn soon. */
const linksAtOnce = 5000

/**
 * A statement for a thousand links. Prisma Client reads both ends of every one of them before, which takes seconds for ten thousand. By the
 * column that a value is compared with, the database knows its type.
 */
function inSql(raw: RawClient, { join, own, other, value }: Joining): JoinRows {
  const among = (count: number) => `(${Array.from({ length: count }, (_, i) => value(i + 2)).join(', ')})`
  const links = (count: number) => `${join} WHERE ${own.link} = ${value(1)} AND ${other.link} IN ${among(count)}`
  const insert = (count: number) =>
    `INSERT INTO ${join} (${own.link}, ${other.link}) SELECT o.${own.id}, t.${other.id} FROM ${own.table} o, ${other.table} t WHERE o.${own.id} = ${value(1)} AND t.${other.id} IN ${among(count)} ON CONFLICT DO NOTHING`
  const read = (isNext: boolean) =>
    `SELECT ${other.link} AS id FROM ${join} WHERE ${own.link} = ${value(1)}${isNext ? ` AND ${other.link} > ${value(2)}` : ''} ORDER BY ${other.link} LIMIT ${linksAtOnce}`
  function* parts(targets: readonly Row[]): Generator<readonly unknown[]> {
    for (let i = 0; i < targets.length; i += valuesAtOnce)
      yield [...new Set(targets.slice(i, i + valuesAtOnce).map((target) => target[other.key]))]
  }
  return {
    async linked({ row }) {
      const found: Row[] = []
      for (let last: readonly unknown[] = []; ; ) {
        const page = await raw.$queryRawUnsafe(read(last.length > 0), row[own.key], ...last)
        for (const { id } of page) found.push({ [other.key]: id })
        if (page.length < linksAtOnce) return found
        last = [page.at(-1)?.id]
      }
    },
    async link({ row }, targets) {
      for (const ids of parts(targets)) {
        const made = await raw.$executeRawUnsafe(insert(ids.length), row[own.key], ...ids)
        if (made === ids.length) continue
        // Those that were linked already are left out, and those that have gone since the document was checked.
        const counted = `SELECT count(*) AS count FROM ${links(ids.length)}`
        const [answer] = await raw.$queryRawUnsafe(counted, row[own.key], ...ids)
        if (Number(answer?.count) < ids.length) throw relatedNotFound('/data')
      }
    },
    async unlink({ row }, targets) {
      for (const ids of parts(targets))
        await raw.$executeRawUnsafe(`DELETE FROM ${links(ids.length)}`, row[own.key], ...ids)
    },
  }
}

/** A link has two ends, and each of them is a value of a statement. */
const linksOfOperation = 250

function byPrisma({ client, reader }: Inside, { models }: JoinTables): JoinRows {
  const targetOf = ({ relation }: LinksOf) => models[relation.model] as ModelMeta
  const change = async (verb: 'connect' | 'disconnect', of: LinksOf, targets: readonly Row[]) => {
    const { model, relation, row } = of
    const ids = targets.map((target) => keyOf(targetOf(of), target))
    for (let i = 0; i < ids.length; i += linksOfOperation)
      await delegateOf(client, model.name).update({
        where: keyOf(model, row),
        data: { [relation.name]: { [verb]: ids.slice(i, i + linksOfOperation) } },
        select: Object.fromEntries(model.key.map((column) => [column, true])),
      })
  }
  return {
    linked(of) {
      const target = targetOf(of)
      const inverse = relationOf(target, of.relation.inverse as string)
      const where = related(inverse, 'some', all(...of.model.key.map((key) => equals(of.model, key, of.row[key]))))
      return reader.read({
        kind: 'rows',
        model: target.name,
        columns: target.key,
        where,
        order: [],
        skip: 0,
        take: null,
      })
    },
    link: (of, targets) => change('connect', of, targets),
    unlink: (of, targets) => change('disconnect', of, targets),
  }
}

const keyOf = ({ key }: ModelMeta, row: Row): Row => Object.fromEntries(key.map((column) => [column, row[column]]))
