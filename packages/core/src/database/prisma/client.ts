import { all, equals, related, relationOf } from '@prismapi/jsonapi/condition/build'
import { constraintBroken } from '@prismapi/jsonapi/document/errors'
import { say } from '@prismapi/jsonapi/document/text'
import type { Awaitable } from '@prismapi/jsonapi/model/awaitable'
import type { ModelMeta, Provider, RelationMeta, Resources } from '@prismapi/jsonapi/model/meta'
import { isLacked } from '@prismapi/jsonapi/model/prisma-values'
import type { Row } from '@prismapi/jsonapi/model/where'
import { lowerFirst } from '@prismapi/jsonapi/schema/naming'
import type { Reader } from '../reader.ts'
import type { Ask } from '../session.ts'
import type { Delegate, Delegates, RowWriter } from '../store.ts'
import { quotedTable } from '../tables.ts'
import { invalidValue, translated } from './database-errors.ts'
import { toPrismaWhere } from './prisma-condition.ts'

/** The delegate of a model, by the name that Prisma Client gives it. */
export function delegateOf(client: Delegates, model: string): Delegate {
  const delegate = client[lowerFirst(model)]
  if (!delegate) throw new Error(`Prisma Client has no model ${model}. Run "npx prisma generate".`)
  return delegate
}

/** Writes rows by Prisma Client. */
export const prismaWriter = (client: Delegates): RowWriter => ({
  async insert({ model, data, returning }) {
    checkSayable(data)
    const select = Object.fromEntries(returning.map((column) => [column, true]))
    const created: Row | null = await delegateOf(client, model.name).create({ data, select })
    // A trigger may drop the new row in silence.
    if (created === null) throw constraintBroken(say`The database refuses the change.`)
    return created
  },
  async update({ model, where, data, increment }) {
    checkSayable(data)
    const args = {
      where: toPrismaWhere(where, model),
      data: increment ? { ...data, [increment]: { increment: 1 } } : data,
    }
    const { count } = await delegateOf(client, model.name).updateMany(args)
    return count
  },
  async remove({ model, where, most }) {
    const args = { where: toPrismaWhere(where, model), ...(most !== undefined && { limit: most }) }
    const { count } = await delegateOf(client, model.name).deleteMany(args)
    return count
  },
})

/**
 * @throws {JsonApiError} 422 for a value that Prisma Client cannot express, as a foreign key of `infinity` from SQL.
 */
function checkSayable(data: Row): void {
  if (Object.values(data).some(isLacked)) throw invalidValue()
}

const twin = Symbol('twin')

/** A client that is there once it is used. */
export interface LazyClient<Client> {
  readonly client: Client
  /** Null as long as no caller has used it. */
  made(): Client | null
}

/**
 * A client that is made for its first use: of a schema with 300 models, Prisma Client keeps 60 MiB, and as much again
 * for its first query. Its twin is there already, and made by the same function.
 */
export function lazyClient<Client extends object>(make: () => Client, like: Client): LazyClient<Client> {
  let made: Client | null = null
  const client = (): Client => {
    made ??= make()
    return made
  }
  const handler: ProxyHandler<Client> = {
    get: (_, name) => (name === twin && made === null ? like : Reflect.get(client(), name)),
    set: (_, name, value) => Reflect.set(client(), name, value),
    has: (_, name) => Reflect.has(client(), name),
  }
  return { client: new Proxy({} as Client, handler), made: () => made }
}

/** The client, or its twin where it is yet to be made. */
const likeOf = (client: object): object => (client as { readonly [twin]?: object })[twin] ?? client

/** Whether an extension stands around a client. Prisma takes `$on` from those. */
export const isExtended = (client: object): boolean =>
  typeof (likeOf(client) as { readonly $on?: unknown }).$on !== 'function'

/** Does the work with a transaction's client, of which every part refuses whatever comes after the work has ended. */
export async function whileOpen<T>(client: Delegates, work: (client: Delegates) => Promise<T>): Promise<T> {
  let isOpen = true
  const checkOpen = () => {
    if (!isOpen) throw new Error(transactionEnded)
  }
  try {
    return await work(guardObject(withinOne(client), checkOpen))
  } finally {
    isOpen = false
  }
}

/**
 * The same client, whose `$transaction([…])` is a part of its transaction, as one with a function is.
 * Prisma would begin it beside this one, on another connection.
 */
const withinOne = (client: Delegates): Delegates =>
  new Proxy(client, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (name !== '$transaction' || typeof member !== 'function') return member
      return (work: readonly unknown[] | Work, ...options: readonly unknown[]) =>
        typeof work === 'function'
          ? member.call(target, (inside: Delegates) => work(withinOne(inside)), ...options)
          : member.call(target, () => inOrder(work))
    },
  })

type Work = (inside: Delegates) => unknown

async function inOrder(operations: readonly unknown[]): Promise<readonly unknown[]> {
  const results: unknown[] = []
  for (const operation of operations) results.push(await operation)
  return results
}

/** The same object, whose members are checked when they are taken and when they are called. */
function guardObject<Guarded extends object>(object: Guarded, checkOpen: () => void): Guarded {
  const kept = new Map<string, unknown>()
  return new Proxy(object, {
    get(target, name) {
      if (typeof name !== 'string') return Reflect.get(target, name)
      checkOpen()
      if (!kept.has(name)) kept.set(name, guardedMember(target, Reflect.get(target, name), checkOpen))
      return kept.get(name)
    },
  })
}

function guardedMember(owner: object, member: unknown, checkOpen: () => void): unknown {
  if (typeof member === 'function')
    return (...args: readonly unknown[]) => {
      checkOpen()
      return member.apply(owner, args)
    }
  const isDelegate = typeof member === 'object' && member !== null && 'findMany' in member
  return isDelegate ? guardObject(member, checkOpen) : member
}

/** What the client of a transaction says when it is asked after its end. */
const transactionEnded =
  'The transaction of this db has ended. After the commit, use the client that the work is given: afterCommit(({ db }) => …).'

/** Whose links: those of a row by an implicit many-to-many relation. */
export interface LinksOf {
  readonly model: ModelMeta
  readonly relation: RelationMeta
  readonly row: Row
}

/** The rows of join tables, as a transaction changes them. */
export interface JoinRows {
  /** The ids of the linked rows, whether they may be seen or not. `onRead` gets each part, and may throw to end it. */
  linked(of: LinksOf, onRead?: (links: number) => void): Awaitable<readonly Row[]>
  /**
   * Links rows, those that are linked already among them.
   *
   * @throws {JsonApiError} 404 where one of them has gone.
   */
  link(of: LinksOf, targets: readonly Row[]): Promise<void>
  /** Ends links; those that there are not are left alone. */
  unlink(of: LinksOf, targets: readonly Row[]): Promise<void>
}

/** A transaction, by Prisma Client. */
interface Inside {
  readonly client: Delegates
  readonly reader: Reader
}

/** A link has two ends, and each of them is a value of a statement. */
const linksOfOperation = 250

/** Changes links by Prisma Client, which reads both ends of every one of them before. */
export function prismaJoinRows({ client, reader }: Inside, { models }: Pick<Resources, 'models'>): JoinRows {
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
    async linked(of, onRead) {
      const target = targetOf(of)
      const inverse = relationOf(target, of.relation.inverse as string)
      const where = related(inverse, 'some', all(...of.model.key.map((key) => equals(of.model, key, of.row[key]))))
      const found = await reader.read({
        kind: 'rows',
        model: target.name,
        columns: target.key,
        where,
        order: [],
        skip: 0,
        take: null,
      })
      onRead?.(found.length)
      return found
    },
    link: (of, targets) => change('connect', of, targets),
    unlink: (of, targets) => change('disconnect', of, targets),
  }
}

const keyOf = ({ key }: ModelMeta, row: Row): Row => Object.fromEntries(key.map((column) => [column, row[column]]))

/** The columns of a table that the database computes, and takes no value for. */
const catalogues: Partial<Record<Provider, (model: ModelMeta) => readonly [sql: string, table: string]>> = {
  postgresql: ({ table, dbSchema }) => [
    `select attname as name from pg_attribute where attrelid = to_regclass($1) and (attgenerated <> '' or attidentity = 'a')`,
    quotedTable({ table, dbSchema }),
  ],
  sqlite: ({ table }) => ['select name from pragma_table_xinfo(?) where hidden in (2, 3)', table],
}

/**
 * What is written, without the columns that are `GENERATED ALWAYS`: to set one is an error to the database, with the
 * value that it has as well. The Prisma schema does not tell them from other defaults of the database, so the catalogue
 * is asked where such a column is set.
 */
export async function withoutGenerated(
  ask: Ask,
  { model, provider }: { readonly model: ModelMeta; readonly provider: Provider },
  data: Row,
): Promise<Row> {
  const catalogue = catalogues[provider]
  const isAsked = Object.keys(data).some((name) => model.columns[name]?.default === 'dbgenerated')
  if (!catalogue || !isAsked) return data
  const [sql, table] = catalogue(model)
  const rows = await translated(() => ask(sql, [table]))
  const generated = new Set(rows.map(([name]) => name))
  return Object.fromEntries(Object.entries(data).filter(([name]) => !generated.has(model.columns[name]?.column)))
}
