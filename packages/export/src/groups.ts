import { checkStats, readGroups } from '@prismapi/core/actions/fetch-stats'
import type { ServerContext } from '@prismapi/core/server/serving'
import { tooManyRows } from '@prismapi/jsonapi/document/errors'
import type { CollectionOperation } from '@prismapi/jsonapi/request/operation'
import type { Lines } from './lines.ts'

/** The lines of the groups of a type: one statement answers with all of them. */
export async function exportGroups(ctx: ServerContext, op: CollectionOperation): Promise<Lines> {
  const checked = await checkStats(ctx, op)
  const { keys, figures } = checked.query
  const { exportRows: limit } = ctx.limits
  const { groups, total } = await readGroups(ctx, checked, { skip: 0, take: limit })
  if (total > limit) throw tooManyRows(limit)
  const names = figures.flatMap(({ name, functions }) => functions.map((each) => [name, each] as const))
  return {
    name: `${op.schema.type}-stats`,
    headings: [
      ...keys.map(({ name }) => ({ name, isText: true })),
      ...names.map(([name, each]) => ({ name: name === '*' ? each : `${name}.${each}`, isText: false })),
    ],
    async *parts() {
      yield groups.map(({ key, stats }) => [
        ...keys.map(({ name }) => idOf(key[name])),
        ...names.map(([name, each]) => stats[name]?.[each] ?? null),
      ])
    },
  }
}

/** Resources that rows are grouped by are named by their ids. */
const idOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'id' in value ? value.id : (value ?? null)
