import { isToMany, type Relation } from '@prismapi/jsonapi/schema/relation-kinds'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import type { Answer } from '../../send.ts'
import { isObject, type Json } from '../judges/judged.ts'
import { linkageOf } from './include-checks.ts'
import { type Interview, resourcesIn } from './interview.ts'

/** One resource that was seen, and both URLs of each of its relations. */
export async function askResource(own: Interview, schema: ResourceSchema, id: string): Promise<void> {
  const path = `/${schema.type}/${encodeURIComponent(id)}`
  const one = await own.ask({ path, status: [200, ...own.denials], primary: 'resource' })
  if (one.status === 200 && !isNamed(one, schema.type, id)) own.note(one, `data is not ${schema.type}:${id}`)
  for (const relation of schema.relations.values()) await askRelation(own, relation, path)
  for (const rest of ['/no-such-relation', '/relationships/no-such-relation'])
    await own.ask({ path: path + rest, status: [404] })
  if (one.status === 200 && !own.server.ignoresUnknownParameters)
    await own.ask({ path: `${path}?bogus=1`, status: [400], parameter: 'bogus' })
}

const isNamed = (answer: Answer, type: string, id: string): boolean =>
  resourcesIn(answer).some((each) => each.type === type && each.id === id)

async function askRelation(own: Interview, relation: Relation, path: string): Promise<void> {
  const status = [200, ...own.denials]
  const [resource, identifier] = isToMany(relation)
    ? (['resources', 'identifiers'] as const)
    : (['resource', 'identifier'] as const)
  const { name } = relation
  const related = await own.ask({ path: `${path}/${name}`, status, primary: resource })
  const linkage = await own.ask({ path: `${path}/relationships/${name}`, status, primary: identifier })
  if (linkage.status !== 200 || isPaged(linkage.document?.links)) return
  if (related.status === 200 && !isPaged(related.document?.links))
    compare(own, linkage, { items: resourcesIn(related), where: 'its related URL' })
  if (!relation.isIncludable) return
  const whole = await own.ask({ path: `${path}?include=${name}`, status: [...status, 400], primary: 'resource' })
  const [parent] = resourcesIn(whole)
  if (whole.status === 200 && parent && !isPaged(relationshipLinks(parent, name)))
    compare(own, linkage, { items: linkageOf(parent, name), where: 'the resource itself' })
}

function relationshipLinks({ relationships }: Json, name: string): unknown {
  const relationship = isObject(relationships) ? relationships[name] : undefined
  return isObject(relationship) ? relationship.links : undefined
}

/** A page says nothing of the rest. */
const isPaged = (links: unknown): boolean =>
  isObject(links) && ['first', 'prev', 'next', 'last'].some((name) => links[name])

interface Other {
  readonly items: readonly Json[]
  readonly where: string
}

/** Linkage is a set. */
function compare(own: Interview, linkage: Answer, { items, where }: Other): void {
  const keys = (all: readonly Json[]) =>
    all
      .map(({ type, id }) => `${type}:${id}`)
      .sort()
      .join()
  const [here, there] = [keys(resourcesIn(linkage)), keys(items)]
  if (here !== there) own.note(linkage, `the linkage is ${here || 'empty'}, and by ${where} ${there || 'empty'}`)
}

/** What is not there is 404, on every URL below it. A caller who sees nothing of the type may be denied first. */
export async function askMissing(own: Interview, schema: ResourceSchema, missing: Missing): Promise<void> {
  const path = `/${schema.type}/${encodeURIComponent(missing.id)}`
  const status = missing.isReadable ? [404] : [404, ...own.denials]
  const names = [...schema.relations.keys()]
  for (const rest of ['', ...names.flatMap((name) => [`/${name}`, `/relationships/${name}`])])
    await own.ask({ path: path + rest, status })
}

interface Missing {
  readonly id: string
  /** Has the caller seen a resource of the type. */
  readonly isReadable: boolean
}
