import { isToMany, type Relation } from '@prismapi/jsonapi/schema/relation-kinds'
import { type ResourceSchema, targetSchemas } from '@prismapi/jsonapi/schema/resource-schema'
import fc from 'fast-check'
import type { Served } from './open.ts'
import type { Making, Population, Shown } from './populate.ts'

const pathOf = ({ type, id }: Shown): string => `/${type}/${encodeURIComponent(id)}`
const short = (value: unknown): string => JSON.stringify(value)?.slice(0, 600)

/** Every relation is changed at its own URL: what is answered with success has happened, what is refused has not. */
export async function walkRelationships(served: Served, all: Population, { random }: Making): Promise<Answers> {
  const answers: Answers = new Set()
  for (const schema of served.schemas.byType.values()) {
    for (const resource of (all.get(schema.type) ?? []).slice(0, 1)) {
      for (const relation of schema.relations.values()) {
        const candidates = targetSchemas(served.schemas, relation).flatMap(({ type }) =>
          (all.get(type) ?? []).map(({ id }) => ({ type, id })),
        )
        const sent = isToMany(relation)
          ? [[], candidates, random(fc.subarray(candidates))]
          : [...candidates.slice(0, 3), null, ...candidates.slice(-1)]
        for (const linkage of sent) await replace(served, { schema, resource, relation, answers }, linkage)
        if (isToMany(relation)) {
          await change(served, { schema, resource, relation, answers }, 'POST', random(fc.subarray(candidates)))
          await change(served, { schema, resource, relation, answers }, 'DELETE', random(fc.subarray(candidates)))
        }
      }
    }
  }
  return answers
}

/** The statuses that were answered. */
export type Answers = Set<number>

interface Place {
  readonly schema: ResourceSchema
  readonly resource: Shown
  readonly relation: Relation
  readonly answers: Answers
}

const urlOf = ({ resource, relation }: Place): string => `${pathOf(resource)}/relationships/${relation.name}`

const names = (data: unknown): readonly string[] =>
  (Array.isArray(data) ? data : data === null ? [] : [data]).map(({ type, id }) => `${type} ${id}`).sort()

const current = async ({ ask }: Served, place: Place): Promise<readonly string[] | null> => {
  const { status, body } = await ask('GET', `${urlOf(place)}${isToMany(place.relation) ? '?page[size]=1000' : ''}`)
  return status === 200 ? names(body.data) : null
}

async function replace(served: Served, place: Place, linkage: unknown): Promise<void> {
  await write(served, place, { method: 'PATCH', linkage, expected: () => names(linkage) })
}

async function change(served: Served, place: Place, method: 'POST' | 'DELETE', linkage: readonly Shown[]) {
  const sent = names(linkage)
  const expected = (before: readonly string[]) =>
    method === 'POST' ? [...new Set([...before, ...sent])].sort() : before.filter((name) => !sent.includes(name))
  await write(served, place, { method, linkage, expected })
}

interface Write {
  readonly method: string
  readonly linkage: unknown
  readonly expected: (before: readonly string[]) => readonly string[]
}

async function write(served: Served, place: Place, { method, linkage, expected }: Write): Promise<void> {
  const before = await current(served, place)
  // A resource whose id is made of a relation's keys may have been removed with what it belonged to.
  if (before === null) return
  const { status, body } = await served.ask(method, urlOf(place), { data: linkage })
  const after = await current(served, place)
  place.answers.add(status)
  const wanted = status < 300 ? expected(before) : before
  if (JSON.stringify(after) !== JSON.stringify(wanted))
    throw new Error(
      `${method} ${urlOf(place)} ${short(linkage)} answered ${status} ${short(body)}: ${before} became ${after}, not ${wanted}`,
    )
}
