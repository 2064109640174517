import { isDeepStrictEqual } from 'node:util'
import { delegateOf } from '@prismapi/core/database/prisma/client'
import type { Delegates } from '@prismapi/core/database/store'
import type { ModelMeta } from '@prismapi/jsonapi/model/meta'
import type { Row } from '@prismapi/jsonapi/model/where'
import { isToMany } from '@prismapi/jsonapi/schema/relation-kinds'
import { type ResourceSchema, targetSchemas } from '@prismapi/jsonapi/schema/resource-schema'
import type { Answer, TestRequest } from '../../send.ts'
import type { DescribedWrite } from './compare-writes.ts'
import type { ReadWorld } from './hidden-world.ts'
import { resourcesFrom } from './pages.ts'
import type { Get } from './walk.ts'
import { schemasOf } from './world.ts'
import { type Named, pathOf, sent } from './writes.ts'

/** Rows of each type that are looked at, and of these, such as are tried. */
const [lookedAt, tried] = [25, 2]

interface Asking {
  readonly ask: (request: TestRequest) => Promise<Answer>
  readonly client: object
}

interface Found extends Named {
  readonly row: Row
}

/** Links rows that the caller may not update with rows that the caller may: what moves one all the same. */
export async function movedByLinks({ world }: ReadWorld, { ask, client }: Asking): Promise<readonly DescribedWrite[]> {
  const { basePath, schemas } = world.server
  const at = (request: TestRequest): TestRequest => ({ ...request, path: basePath + request.path })
  const statusOf = async (named: Named): Promise<number> => {
    const data = { type: named.schema.type, id: named.id }
    return (await ask(at(sent('PATCH', pathOf(named), { data })))).status
  }
  const those = async (schema: ResourceSchema, isIt: (status: number) => boolean): Promise<readonly Found[]> => {
    const found: Found[] = []
    for (const row of (world.shown.get(schema.model.name) ?? []).slice(0, lookedAt)) {
      const named = { schema, row, id: schema.id.format(row) }
      if (found.length < tried && isIt(await statusOf(named))) found.push(named)
    }
    return found
  }

  const get: Get = (path) => ask({ method: 'GET', path })
  // A list that is sent without some of them ends their links, which the server may refuse for other reasons.
  const linked = async (url: string) => (await resourcesFrom(await get(basePath + url), get)) ?? []

  const told: DescribedWrite[] = []
  for (const schema of schemasOf(world)) {
    const kept = [...schema.relations.values()].filter((each) => each.kind === 'hasMany' || each.kind === 'hasOne')
    const parents = kept.length > 0 ? await those(schema, (status) => status < 300) : []
    for (const relation of parents.length > 0 ? kept : []) {
      // What a schema class says in writing is no fault.
      if (relation.readOnly || !relation.asksUpdate) continue
      for (const target of targetSchemas(schemas, relation)) {
        const children = await those(target, (status) => status === 403)
        for (const parent of parents)
          for (const child of children) {
            const identifier = { type: target.type, id: child.id }
            const path = pathOf(parent)
            const url = `${path}/relationships/${relation.name}`
            const isMany = isToMany(relation)
            const all = isMany ? [...(await linked(url)), identifier] : identifier
            const resource = { type: schema.type, id: parent.id, relationships: { [relation.name]: { data: all } } }
            for (const request of [
              sent(isMany ? 'POST' : 'PATCH', url, { data: isMany ? [identifier] : identifier }),
              sent('PATCH', path, { data: resource }),
            ].map(at)) {
              await ask(request)
              if (await putBack(client, target.model, child.row))
                told.push({ request, what: `changes ${target.type} ${child.id}, which the caller may not update` })
            }
          }
      }
    }
  }
  return told
}

/** Was a row changed; it is as it was then. */
async function putBack(client: object, model: ModelMeta, row: Row): Promise<boolean> {
  const delegate = delegateOf(client as Delegates, model.name)
  const where = Object.fromEntries(model.key.map((name) => [name, row[name]]))
  const [now] = await delegate.findMany({ where })
  const changed = Object.keys(model.columns).filter((name) => !isDeepStrictEqual(now?.[name], row[name]))
  if (!now || changed.length === 0) return false
  await delegate.updateMany({ where, data: Object.fromEntries(changed.map((name) => [name, row[name]])) })
  return true
}
