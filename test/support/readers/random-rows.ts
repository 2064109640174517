import type { Delegates } from '@prismapi/core/database/store'
import type { ColumnMeta, ModelMeta, Resources } from '@prismapi/jsonapi/model/meta'
import type { Row } from '@prismapi/jsonapi/model/where'
import { lowerFirst } from '@prismapi/jsonapi/schema/naming'
import { poolOf } from './value-pools.ts'

type Random = () => number

/** Numbers that look random, the same ones for the same seed. */
export function randomNumbers(seed: number): Random {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Fills every table with rows of random values, many of them null, that point at each other; rows that clash are left out. */
export async function fillRandomly(client: Delegates, resources: Resources, random: Random, rows = 12): Promise<void> {
  const filled = new Map<string, Row[]>()
  const models = Object.values(resources.models).filter(({ operations }) => operations.includes('create'))
  // Twice, so that what came first can point at what came later.
  for (let round = 0; round < 2; round++) {
    for (const model of models) {
      const known = filled.get(model.name) ?? []
      filled.set(model.name, known)
      for (let i = 0; i < rows / 2; i++) {
        const data = { ...columnsOf(model, resources, random), ...keysOf(model, filled, random) }
        const row = await create(client, model, data)
        if (row) known.push(row)
      }
    }
  }
  for (const model of models) await link(client, model, { resources, filled, random })
}

const pick = <T>(items: readonly T[], random: Random): T | undefined => items[Math.floor(random() * items.length)]

function columnsOf(model: ModelMeta, resources: Resources, random: Random): Row {
  const columns = Object.values(model.columns).filter(
    ({ isForeignKey, default: by }) => !isForeignKey && by !== 'autoincrement',
  )
  return Object.fromEntries(columns.map((column) => [column.name, randomValue(column, resources, random)]))
}

export function randomValue(column: ColumnMeta, resources: Resources, random: Random): unknown {
  const pool = poolOf(column, resources)
  if (column.isList) return pool.filter(() => random() < 0.3)
  // Prisma has two nulls for JSON, so none is sent.
  if (column.isNullable && random() < 0.4) return column.type === 'Json' ? undefined : null
  return pick(pool, random)
}

function keysOf(model: ModelMeta, filled: ReadonlyMap<string, readonly Row[]>, random: Random): Row {
  const data: Record<string, unknown> = {}
  for (const { model: target, foreignKey, isNullable } of Object.values(model.relations)) {
    if (!foreignKey || (isNullable && random() < 0.4)) continue
    const row = pick(filled.get(target) ?? [], random)
    foreignKey.columns.forEach((column, i) => {
      data[column] = row?.[foreignKey.references[i] as string] ?? null
    })
  }
  return data
}

const delegateOf = (client: Delegates, { name }: ModelMeta) => client[lowerFirst(name)] as Delegates[string]

async function create(client: Delegates, model: ModelMeta, data: Row): Promise<Row | null> {
  try {
    return await delegateOf(client, model).create({ data })
  } catch {
    return null
  }
}

interface WriteInput {
  readonly resources: Resources
  readonly filled: ReadonlyMap<string, readonly Row[]>
  readonly random: Random
}

async function link(client: Delegates, model: ModelMeta, { resources, filled, random }: WriteInput): Promise<void> {
  const keyOf = (row: Row, { key }: ModelMeta): Row => Object.fromEntries(key.map((column) => [column, row[column]]))
  for (const { name, join, model: target } of Object.values(model.relations)) {
    if (!join) continue
    for (const row of filled.get(model.name) ?? []) {
      const others = (filled.get(target) ?? []).filter(() => random() < 0.3)
      const connect = others.map((other) => keyOf(other, resources.models[target] as ModelMeta))
      await delegateOf(client, model).update({ where: keyOf(row, model), data: { [name]: { connect } } })
    }
  }
}
