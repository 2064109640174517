import { type Call, contextOf } from '@prismapi/core/http/call'
import { find } from '@prismapi/core/read/find'
import type { Row } from '@prismapi/jsonapi/model/where'
import { schemaOf } from '@prismapi/jsonapi/schema/resource-schema'
import { sharedParts } from '@prismapi/openapi/shared-parts'
import { affectedRows } from '@prismapi/pages/forms/affected-rows'
import type { Target } from './arguments.ts'
import type { ToldServer } from './describe.ts'

/** Resources that a delete is about, beside those that are named. */
export interface GoingAlong {
  readonly type: string
  /** Whether they go, lose a link, or keep the others from going. */
  readonly fate: string
  /** Null where it costs too much to count them. */
  readonly count: number | null
}

/** What would go along, as far as the caller would be listed it. */
export async function goingAlong(
  call: Call,
  told: ToldServer,
  type: string,
  targets: readonly Target[],
): Promise<readonly GoingAlong[]> {
  const { server, audience, schemas } = told
  const shown = schemas.byType.get(type)
  // A row that is only marked takes nothing along.
  if (!shown || shown.deletedAt !== null) return []
  const ctx = contextOf(call)
  const schema = schemaOf(server.schemas, shown.model.name)
  const rows: Row[] = []
  for (const each of targets) {
    const row = await find(ctx, schema, typeof each === 'string' ? each : each.id)
    if (row) rows.push(row)
  }
  const api = { ...server, audience, examples: new Map(), schemas, told: [], shared: sharedParts() }
  const affected = await affectedRows({ ctx, api }, shown, rows)
  return affected.map(({ schema: { type }, fate, count }) => ({ type, fate, count }))
}
