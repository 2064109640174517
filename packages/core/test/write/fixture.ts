import type { Condition } from '@prismapi/jsonapi/condition/condition'
import type { Identifier, Linkage } from '@prismapi/jsonapi/document/types'
import type { Row, Where } from '@prismapi/jsonapi/model/where'
import { Preparation, Spent } from '@prismapi/jsonapi/request/write-state'
import { isKeptElsewhere } from '@prismapi/jsonapi/schema/relation-kinds'
import { type ResourceSchema, type SchemaRegistry, schemaOf } from '@prismapi/jsonapi/schema/resource-schema'
import { asWhere } from '../../../../test/support/conditions.ts'
import { rowsOver } from '../../../../test/support/rows-over.ts'
import { registryOf, resources } from '../../../../test/support/schemas.ts'
import { prismaJoinRows, prismaWriter } from '../../src/database/prisma/client.ts'
import { type CountPlan, type Readings, type RowsPlan, readerOf } from '../../src/database/reader.ts'
import type { AfterCommit, SingleStatementWriter } from '../../src/database/store.ts'
import { type AnyHook, hookKey } from '../../src/read/hooks.ts'
import type { RequestTransaction } from '../../src/read/rows.ts'
import type { WriteInput } from '../../src/write/input.ts'
import type { LinkChange, LinkMode } from '../../src/write/links/link-change.ts'
import { planLinks } from '../../src/write/links/plan-links.ts'
import type { Subject } from '../../src/write/write-context.ts'

// Rows in tables of memory, and as much of a request as writes look at.

export type Tables = Readonly<Record<string, Row[]>>
export type Hooks = Readonly<Record<string, (subject: Row, event: never) => unknown>>

interface Given {
  readonly tables?: Tables
  /** By model and name: `Post:creating`. */
  readonly hooks?: Hooks
  readonly scopes?: ReadonlyMap<string, Condition>
  readonly schemas?: readonly ResourceSchema[]
  readonly single?: Partial<SingleStatementWriter> | null
  readonly production?: boolean
  readonly isWithin?: boolean
}

export function world({
  tables = {},
  hooks = {},
  scopes = new Map(),
  schemas = [],
  single = null,
  ...given
}: Given = {}) {
  const registry = registryOf(...schemas)
  const rowsOf = (model: string): Row[] => tables[model] ?? []
  const found = ({ model, where }: { readonly model: string; readonly where: Condition }) =>
    rowsOf(model).filter((row) => meets(row, asWhere(where, model, resources)))
  const picked = (row: Row, columns: readonly string[]): Row =>
    Object.fromEntries(columns.map((name) => [name, row[name]]))
  const reader = readerOf({
    rows: async (plan: RowsPlan) => {
      const [term] = plan.order
      const rows = found(plan)
      if (term) rows.sort((a, b) => Number(b[term.path[0] as string]) - Number(a[term.path[0] as string]))
      return rows.slice(0, plan.take ?? undefined).map((row) => picked(row, plan.columns))
    },
    count: async (plan: CountPlan) => found(plan).length,
  } as unknown as Readings)
  const late: AfterCommit[] = []
  const client = new Proxy({}, { get: (_, name) => tableOf(rowsOf, registry, String(name)) })
  const rows = rowsOver(reader, scopes)
  const transaction = {
    client,
    rows,
    writer: prismaWriter(client as never),
    joinRows: prismaJoinRows({ client, reader }, resources),
    afterCommit: (work: AfterCommit) => void late.push(work),
  } as unknown as RequestTransaction
  const ctx = {
    server: { schemas: registry, resources, production: given.production ?? false, services: { clock: 1 } },
    served: {
      hooks: new Map(Object.entries(hooks).map(([key, hook]) => [keyOf(key), [hook as AnyHook]])),
    },
    seen: () => null,
    user: { id: 7 },
    preparation: new Preparation(),
    spent: new Spent(1e6),
    rows,
    store: { single, isWithin: given.isWithin ?? false, committed: () => ({ committed: true }) },
  } as unknown as Subject['ctx']
  const target = ({ type, id }: Identifier) => {
    const schema = registry.byType.get(type) as ResourceSchema
    return rowsOf(schema.model.name).find((row) => schema.id.format(row) === id) ?? null
  }
  const related = {
    target: async (identifier: Identifier) => target(identifier),
    find: async (linkage: readonly Identifier[]) => linkage.map(target),
  } as unknown as Subject['related']
  const subject = (model: string): Subject => ({ ctx, schema: schemaOf(registry, model), related })
  return { transaction, subject, tables, late, ctx, registry }
}

const keyOf = (key: string): string => {
  const [model, name] = key.split(':') as [string, string]
  return hookKey(model, name)
}

/** What Prisma Client does to one table. */
function tableOf(rowsOf: (model: string) => Row[], registry: SchemaRegistry, delegate: string) {
  const model = delegate.charAt(0).toUpperCase() + delegate.slice(1)
  const rows = rowsOf(model)
  const matching = (where: Where) => rows.filter((row) => meets(row, where))
  return {
    async create({ data, select }: { data: Row; select: Row }) {
      const id = rows.reduce((most, row) => Math.max(most, Number(row.id ?? 0)), 0) + 1
      const row = { id, ...data }
      rows.push(row)
      return Object.fromEntries(Object.keys(select).map((name) => [name, (row as Row)[name]]))
    },
    async updateMany({ where, data }: { where: Where; data: Row }) {
      const found = matching(where)
      for (const row of found) Object.assign(row, set(row, data))
      return { count: found.length }
    },
    async deleteMany({ where }: { where: Where }) {
      const found = matching(where)
      for (const row of found) rows.splice(rows.indexOf(row), 1)
      return { count: found.length }
    },
    /** Links of a many-to-many: both ends list the rows of the other. */
    async update({ where, data }: { where: Where; data: Readonly<Record<string, Readonly<Record<string, Row[]>>>> }) {
      const [row] = matching(where) as [Row]
      for (const [field, change] of Object.entries(data)) {
        const relation = schemaOf(registry, model).model.relations[field] as { model: string; inverse: string }
        const others = row[field] as Row[]
        for (const key of change.connect ?? []) {
          const other = rowsOf(relation.model).find((each) => meets(each, key as Where)) as Row
          if (others.includes(other)) continue
          others.push(other)
          ;(other[relation.inverse] as Row[]).push(row)
        }
        for (const key of change.disconnect ?? []) {
          const other = rowsOf(relation.model).find((each) => meets(each, key as Where)) as Row
          others.splice(others.indexOf(other), 1)
          const back = other[relation.inverse] as Row[]
          back.splice(back.indexOf(row), 1)
        }
      }
      return row
    },
  }
}

const set = (row: Row, data: Row): Row =>
  Object.fromEntries(
    Object.entries(data).map(([name, value]) => {
      const increment = (value as { increment?: number } | null)?.increment
      return [name, increment === undefined ? value : Number(row[name]) + increment]
    }),
  )

function meets(row: Row, where: Where): boolean {
  return Object.entries(where).every(([key, condition]) => {
    if (key === 'AND') return [condition].flat().every((each) => meets(row, each as Where))
    if (key === 'OR') return (condition as Where[]).some((each) => meets(row, each))
    if (key === 'NOT') return ![condition].flat().every((each) => meets(row, each as Where))
    if (condition === null || typeof condition !== 'object') return (row[key] ?? null) === condition
    if ('in' in condition) return (condition.in as unknown[]).includes(row[key])
    if ('not' in condition) return row[key] !== condition.not
    if ('some' in condition) return (row[key] as Row[]).some((each) => meets(each, condition.some as Where))
    throw new Error(`no table in memory knows ${JSON.stringify(condition)}`)
  })
}

/** What fills a row, as documents name it. */
export const input = (attributes: Row = {}, relationships: object = {}, id: string | null = null): WriteInput => ({
  id,
  attributes: new Map(Object.entries(attributes)),
  relationships: new Map(Object.entries(relationships)),
  links: [],
})

/** What a request makes of links that are kept in other rows, before it writes them. */
export async function linksOf(
  { ctx, schema, related }: Subject,
  row: Row | null,
  relationships: ReadonlyMap<string, Linkage>,
  mode: LinkMode = 'set',
): Promise<readonly LinkChange[]> {
  const links: LinkChange[] = []
  for (const [name, linkage] of relationships) {
    const relation = schema.relations.get(name)
    if (relation && isKeptElsewhere(relation))
      links.push(await planLinks({ ctx, related }, row, { relation, linkage, mode }))
  }
  return links
}

export const to = (type: string, ...ids: readonly (number | string)[]): readonly Identifier[] =>
  ids.map((id) => ({ type, id: String(id) }))
export const toOne = (type: string, id: number | string): Identifier => ({ type, id: String(id) })

/** What a client is told: status and detail of its one error. */
export async function refusal(work: Promise<unknown>): Promise<unknown> {
  try {
    await work
    return null
  } catch (error) {
    const { status, errors } = error as { status?: number; errors?: readonly { detail?: string }[] }
    if (status === undefined) throw error
    return [status, errors?.[0]?.detail]
  }
}
