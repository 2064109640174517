import { hash, randomBytes } from 'node:crypto'
import type { Clients } from '@prismapi/core/database/store'
import { all, columnOf, compare, equals, everything, related, relationOf } from '@prismapi/jsonapi/condition/build'
import type { Condition } from '@prismapi/jsonapi/condition/condition'
import { boundedCache } from '@prismapi/jsonapi/model/memo'
import type { ModelMeta, RelationMeta, Resources } from '@prismapi/jsonapi/model/meta'
import type { Row } from '@prismapi/jsonapi/model/where'
import { lowerFirst } from '@prismapi/jsonapi/schema/naming'
import { sqlStores } from '@prismapi/sql/sql-stores'

/** The rows of secrets that callers were given: API keys, or sessions. Only digests are stored. */
export interface TokenTable {
  /** The model of the rows. */
  readonly model: string
  /** Its relation to the user whom a secret belongs to. */
  readonly user: string
  /** The columns of the user that policies get; `id: true` and what else they look at. */
  readonly select: Readonly<Record<string, true>>
}

/** A Prisma client, or the clients of `sqliteClients` and `postgresClients`. */
export type TokenClients = object | { readonly reader: object; readonly writer: object }

interface Delegate {
  create(args: object): Promise<Row>
  updateMany(args: object): Promise<{ readonly count: number }>
  deleteMany(args: object): Promise<{ readonly count: number }>
}

/** A secret that was found, and its user. */
export interface FoundToken {
  readonly token: Row
  readonly user: Row
}

/** At most once a minute it is written that a secret was used: a write for each request would be one too many. */
const noteMilliseconds = 60_000

/** As many secrets are known without a question of their own. */
const mostKept = 10_000

/** Looks for secrets in one table. */
export interface StoredTokens {
  /** The row of a secret and its user; null for one that is unknown, expired, revoked, or of nobody. */
  find(secret: string): Promise<FoundToken | null>
  /** Writes the row of a new secret for a user, and gives the secret: it is told once. */
  add(userKey: unknown, secret: string, columns: Row): Promise<Row>
  /** Removes the row of a secret. */
  remove(secret: string): Promise<void>
  /** A user by the value of a unique column, with the key and these columns. */
  owner(column: string, value: unknown, columns: readonly string[]): Promise<Row | null>
  /** The column of the rows that refers to the user, and the one of the user that it refers to. */
  readonly ownerColumn: string
  readonly ownerKey: string
  /** The model of the users. */
  readonly users: ModelMeta
  /** The rows themselves, to write them. */
  readonly rows: Delegate
}

/**
 * Looks for secrets by their digests. What a row says is kept in memory, and with it the key of the user. Each request
 * still asks the database, once: for the user by that key, if the row is there and says the same. So what is revoked
 * is revoked at once, in all processes.
 *
 * @throws {Error} for a model without the columns and the relation that it needs.
 */
export function storedTokens(
  { resources, clients }: { readonly resources: Resources; readonly clients: TokenClients },
  { model, user, select }: TokenTable,
  { unchanged, by }: { readonly unchanged: readonly string[]; readonly by: string },
): StoredTokens {
  const { relation, column, key, inverse, own } = checkTable(resources, {
    model,
    user,
    by,
    needs: ['digest', ...unchanged],
  })
  const writer = 'writer' in clients ? (clients.writer as object) : clients
  const rows = delegateOf(writer, model, by)
  const users = resources.models[relation.model] as ModelMeta
  const unknown = Object.keys(select).find((name) => !users.columns[name])
  if (unknown !== undefined) throw new Error(`${by}({ select }): ${users.name} has no column ${unknown}.`)
  const back = relationOf(users, inverse)
  const ignore = () => {}
  const { reader } = sqlStores({
    clients: clients as Clients,
    resources,
    onLateFailure: ignore,
    onFallback: ignore,
  }).auto
  const one = (
    of: ModelMeta,
    columns: readonly string[],
    where: readonly [name: string, value: unknown],
    rest: Condition = everything,
  ) =>
    reader.read({ kind: 'lookUp', model: of.name, columns, key: [equals(of, ...where)], rest }) as Promise<Row | null>
  const noted = own.columns.lastUsedAt !== undefined
  const kept = boundedCache<{ known: KnownRow | null; notedAt: number }>(mostKept, Number.POSITIVE_INFINITY)
  const tokenColumns = [...new Set([...own.key, column, ...unchanged])]
  const userColumns = Object.keys(select)
  const same = [...new Set([...own.key, ...unchanged])].map((name) => columnOf(own, name))

  /** Is a row still there, and does it say what it said. */
  const stillThere = (row: Row): Condition =>
    related(back, 'some', all(...same.map((each) => compare(each, 'equals', row[each.name]))))
  const userOf = ({ row, condition }: KnownRow): Promise<Row | null> =>
    one(users, userColumns, [key, row[column]], condition)
  const isOver = ({ expiresAt, revokedAt }: Row): boolean =>
    (revokedAt !== null && revokedAt !== undefined) || (expiresAt instanceof Date && expiresAt.getTime() <= Date.now())

  return {
    rows,
    ownerColumn: column,
    ownerKey: key,
    users,
    async remove(secret) {
      await rows.deleteMany({ where: { digest: digestOf(secret) } })
    },
    owner: (name, value, names) => one(users, [key, ...names], [name, value]),
    async find(secret) {
      const digest = digestOf(secret)
      const entry = kept.get(digest, () => ({ known: null, notedAt: 0 }))
      let { known } = entry
      let user = known === null || isOver(known.row) ? null : await userOf(known)
      if (known === null || user === null) {
        const row = await one(own, tokenColumns, ['digest', digest])
        known = row && { row, condition: stillThere(row) }
        entry.known = known
        if (known === null || isOver(known.row)) return null
        user = await userOf(known)
        if (user === null) return null
      }
      const { row } = known
      if (noted && Date.now() - entry.notedAt > noteMilliseconds) {
        entry.notedAt = Date.now()
        const where = Object.fromEntries(own.key.map((name) => [name, row[name]]))
        // Nobody waits for it, and a database that only reads for now is no reason to refuse.
        rows.updateMany({ where, data: { lastUsedAt: new Date() } }).catch(() => {})
      }
      return { token: row, user }
    },
    add: (userKey, secret, data) => rows.create({ data: { ...data, [column]: userKey, digest: digestOf(secret) } }),
  }
}

/** Of a random secret one round is enough: nobody can try so many. */
const digestOf = (secret: string): string => hash('sha256', secret, 'base64url')

/** 256 random bits. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

function delegateOf(client: object, model: string, by: string): Delegate {
  const delegate: unknown = Reflect.get(client, lowerFirst(model))
  if (!delegate) throw new Error(`${by}: Prisma Client has no model ${model}. Run "npx prisma generate".`)
  return delegate as Delegate
}

/** What a row said when it was read, and the condition that it still does. */
interface KnownRow {
  readonly row: Row
  readonly condition: Condition
}

interface Checked {
  readonly own: ModelMeta
  readonly relation: RelationMeta
  /** The column of the foreign key, and the one of the user that it refers to. */
  readonly column: string
  readonly key: string
  readonly inverse: string
}

function checkTable(
  { models }: Resources,
  { model, user, by, needs }: { model: string; user: string; by: string; needs: readonly string[] },
): Checked {
  const own = models[model]
  if (!own)
    throw new Error(`${by}: the Prisma schema has no model ${model}. Add it, as docs/authentication.md shows it.`)
  const lacking = needs.filter((name) => !own.columns[name])
  if (lacking.length > 0)
    throw new Error(`${by}: ${model} lacks ${lacking.join(', ')}. Add what docs/authentication.md shows.`)
  if (!own.isHidden)
    throw new Error(`${by}: clients could read the rows of ${model}. Write /// @hidden above the model.`)
  const relation = own.relations[user]
  const { foreignKey, inverse } = relation ?? {}
  if (!relation || !foreignKey || !inverse || foreignKey.columns.length !== 1)
    throw new Error(`${by}: ${model} needs a relation "${user}" to the model of its users, by one column.`)
  const [column, key] = [foreignKey.columns[0] as string, foreignKey.references[0] as string]
  return { own, relation, column, key, inverse }
}
