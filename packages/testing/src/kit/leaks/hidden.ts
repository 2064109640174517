import { delegateOf } from '@prismapi/core/database/prisma/client'
import type { Delegates } from '@prismapi/core/database/store'
import type { ModelMeta, Resources } from '@prismapi/jsonapi/model/meta'
import type { ModelName, WhereOf } from '@prismapi/jsonapi/model/register'
import type { Row } from '@prismapi/jsonapi/model/where'
import { changeHidden } from './change-hidden.ts'
import { checkHiddenValues, type HiddenValues } from './hidden-values.ts'
import { keyOf, orderOf } from './keys.ts'

/**
 * The rows that none of the callers may see, by model: what a scope leaves out, as a Prisma `where`.
 *
 * @example
 * const hidden: Hidden = { Post: { deletedAt: { not: null } }, User: { posts: { none: {} } } }
 */
export type Hidden = { readonly [M in ModelName]?: WhereOf<M> }

/** @throws {Error} for a model or a field that there is not, and for none at all: nothing would be tested. */
export function checkHidden(what: string, resources: Pick<Resources, 'models'>, told: HiddenThings): void {
  const { hidden = {}, hiddenValues = {} } = told
  const { models } = resources
  if (Object.keys(hidden).length + Object.keys(hiddenValues).length === 0)
    throw new Error(`${what}({ hidden: {} }): no model is named. Say which rows or values are hidden.`)
  checkHiddenValues(what, resources, hiddenValues)
  const names = Object.keys(hidden)
  const unknown = names.find((name) => !Object.hasOwn(models, name))
  if (unknown === undefined) return
  throw new Error(
    `${what}({ hidden: { ${unknown} } }): no such model. Name one of the Prisma schema: ${Object.keys(models).join(', ')}.`,
  )
}

/** What none of the callers may see. */
export interface HiddenThings {
  /** Rows, as a scope leaves them out. */
  readonly hidden?: Hidden
  /** Fields of rows that may be seen, as a rule about fields takes them away. */
  readonly hiddenValues?: HiddenValues
}

/** The rows of one model, and which of them are hidden. */
export interface ModelRows {
  readonly hidden: readonly Row[]
  readonly shown: readonly Row[]
  /** Those of the latter that are related to hidden rows, of whatever model. */
  readonly near: readonly Row[]
}

/** All rows of all models that have a key. */
export async function readRows(
  { models }: Resources,
  client: object,
  hidden: Hidden,
): Promise<ReadonlyMap<string, ModelRows>> {
  const keyed = Object.values(models).filter(({ key }) => key.length > 0)
  const found = new Map<string, Set<string>>()
  const near = new Map<string, Set<string>>(keyed.map(({ name }) => [name, new Set()]))
  for (const model of keyed) {
    const rows = await findHidden(client, model, hidden)
    found.set(model.name, new Set(rows.map((row) => keyOf(model, row))))
    for (const [name, related] of neighbours(model, rows)) {
      const target = models[name] as ModelMeta
      for (const row of related) near.get(name)?.add(keyOf(target, row))
    }
  }
  const all = new Map<string, ModelRows>()
  for (const model of keyed) {
    const rows = await delegateOf(client as Delegates, model.name).findMany({ orderBy: orderOf(model) })
    const isIn = (keys: ReadonlyMap<string, ReadonlySet<string>>) => (row: Row) =>
      keys.get(model.name)?.has(keyOf(model, row)) ?? false
    const shown = rows.filter((row) => !isIn(found)(row))
    all.set(model.name, { hidden: rows.filter(isIn(found)), shown, near: shown.filter(isIn(near)) })
  }
  return all
}

/** Of each relation to many. */
const neighboursAtMost = 3

/** The hidden rows of a model, with what they are related to. */
async function findHidden(client: object, model: ModelMeta, hidden: Hidden): Promise<readonly Row[]> {
  const where = whereOf(hidden, model)
  if (!where) return []
  const relations = Object.values(model.relations).map(({ name, isList }) => [
    name,
    isList ? { take: neighboursAtMost } : true,
  ])
  const include = relations.length > 0 ? { include: Object.fromEntries(relations) } : {}
  return delegateOf(client as Delegates, model.name).findMany({ where, orderBy: orderOf(model), ...include })
}

/** The related rows, with their model. */
const neighbours = ({ relations }: ModelMeta, rows: readonly Row[]): readonly (readonly [string, readonly Row[]])[] =>
  Object.values(relations).map(({ name, model }) => [
    model,
    rows.flatMap((row): readonly Row[] => [row[name] ?? []].flat() as Row[]),
  ])

const whereOf = (hidden: Hidden, { name }: ModelMeta): object | undefined =>
  (hidden as Readonly<Record<string, object | undefined>>)[name]

/** What `removeHidden` is told: what is hidden as it is told to `leaks`. */
export interface RemoveHidden extends HiddenThings {
  /** What `prisma generate` wrote. */
  readonly resources: Resources
  /** A Prisma client of the database that is to be without them: a copy of the other one. */
  readonly client: object
}

/**
 * Deletes the hidden rows, in the order that foreign keys need, and changes hidden values: that is the second database
 * of `leaks`.
 *
 * @throws {Error} where a row cannot be deleted, or where rows that are not hidden went with it.
 *
 * @example
 * await removeHidden({ resources, client: prisma, hidden: { Post: { deletedAt: { not: null } } } })
 */
export async function removeHidden({ resources, client, hidden = {}, hiddenValues = {} }: RemoveHidden): Promise<void> {
  checkHidden('removeHidden', resources, { hidden, hiddenValues })
  await changeHidden(resources, client, hiddenValues)
  const before = await readRows(resources, client, hidden)
  let left = Object.keys(hidden)
  while (left.length > 0) {
    const failed = new Map<string, unknown>()
    for (const model of left) {
      const where = (hidden as Readonly<Record<string, object>>)[model] as object
      await delegateOf(client as Delegates, model)
        .deleteMany({ where })
        .catch((error: unknown) => failed.set(model, error))
    }
    if (failed.size === left.length) throw stuck(failed)
    left = [...failed.keys()]
  }
  const after = await readRows(resources, client, {})
  for (const [model, { shown }] of before) {
    const lost = shown.length - (after.get(model)?.shown.length ?? 0)
    if (lost > 0)
      throw new Error(
        `removeHidden: ${lost} rows of ${model} went with rows that they need, and are not hidden themselves. Hide them as well, or let rows that may be seen not need hidden ones.`,
      )
  }
}

function stuck(failed: ReadonlyMap<string, unknown>): Error {
  const models = [...failed.keys()].join(', ')
  const cure = 'Rows that may be seen need them. Hide those as well, or remove them first.'
  return new Error(`removeHidden: the hidden rows of ${models} cannot be deleted. ${cure}`, {
    cause: [...failed.values()][0],
  })
}
