import { isToMany, targetModels } from '@prismapi/jsonapi/schema/relation-kinds'
import { type ResourceSchema, schemaOf } from '@prismapi/jsonapi/schema/resource-schema'
import type { Served } from './open.ts'
import type { Population, Shown } from './populate.ts'

type Identifier = { readonly type: string; readonly id: string }

const nameOf = ({ type, id }: Identifier): string => `${type} ${id}`
const pathOf = ({ type, id }: Identifier): string => `/${type}/${encodeURIComponent(id)}`
const listOf = (data: unknown): readonly Shown[] => (Array.isArray(data) ? data : data == null ? [] : [data])

function check(isTrue: boolean, message: string): void {
  if (!isTrue) throw new Error(message)
}

/** Every type lists what it has, and every resource is what its own URL shows. Answers with all there is. */
export async function walkCollections({ schemas, ask }: Served, population: Population): Promise<Population> {
  const all = new Map<string, readonly Shown[]>()
  for (const { type } of schemas.byType.values()) {
    const listed = await whole(ask, `/${type}`)
    all.set(type, listed)
    const ids = new Set(listed.map(nameOf))
    check(ids.size === listed.length, `/${type} lists a resource twice`)
    for (const made of population.get(type) ?? []) check(ids.has(nameOf(made)), `/${type} does not list ${made.id}`)
    for (const each of listed) {
      const { status, body } = await ask('GET', pathOf(each))
      check(status === 200, `${pathOf(each)} answered ${status}`)
      check(JSON.stringify(body.data) === JSON.stringify(each), `${pathOf(each)} is not what its collection shows`)
    }
    for (const { id } of listed.slice(0, 1))
      for (const operator of ['equals', 'in', 'gte', 'lt']) {
        const url = `/${type}?filter[id][${operator}]=${encodeURIComponent(id.replaceAll(',', '\\,'))}`
        const { status } = await ask('GET', url)
        check(status === 200 || (status === 400 && operator !== 'equals'), `${url} answered ${status}`)
      }
  }
  return all
}

async function whole(ask: Served['ask'], path: string): Promise<readonly Shown[]> {
  const rows: Shown[] = []
  for (let number = 1; ; number++) {
    const { status, body } = await ask('GET', `${path}?page[number]=${number}&page[size]=3`)
    check(status === 200, `${path} answered ${status}: ${JSON.stringify(body)}`)
    rows.push(...body.data)
    if (!body.links.next) return rows
  }
}

/** Every relation of two resources of each type says the same at its two URLs, and where it is included. */
export async function walkRelations({ schemas, ask }: Served, all: Population): Promise<void> {
  for (const schema of schemas.byType.values()) {
    for (const resource of (all.get(schema.type) ?? []).slice(0, 2)) {
      for (const relation of schema.relations.values()) {
        const path = `${pathOf(resource)}/${relation.name}`
        const related = await ask('GET', `${path}${isToMany(relation) ? '?page[size]=1000' : ''}`)
        const linkage = await ask(
          'GET',
          `${pathOf(resource)}/relationships/${relation.name}${isToMany(relation) ? '?page[size]=1000' : ''}`,
        )
        const included = await ask('GET', `${pathOf(resource)}?include=${relation.name}`)
        check(related.status === 200 && linkage.status === 200, `${path} answered ${related.status}, ${linkage.status}`)
        const names = [related.body.data, linkage.body.data, included.body.data.relationships[relation.name].data].map(
          (data) => listOf(data).map(nameOf).sort().join(),
        )
        check(new Set(names).size === 1, `${path} is told in several ways: ${names.join(' | ')}`)
        const isList = isToMany(relation)
        check(Array.isArray(linkage.body.data) === isList, `${path} is no list, or is one`)
        for (const { type } of listOf(linkage.body.data))
          check(
            targetModels(relation).some((model) => schemaOf(schemas, model).type === type),
            `${path} leads to ${type}`,
          )
      }
    }
  }
}

/** Every include path of two relations gives a compound document with full linkage, each resource once. */
export async function walkIncludes({ schemas, ask }: Served, all: Population): Promise<void> {
  for (const schema of schemas.byType.values()) {
    if (all.get(schema.type)?.length === 0) continue
    for (const path of includePaths({ schemas }, schema)) {
      const { status, body } = await ask('GET', `/${schema.type}?page[size]=1000&include=${path}`)
      check(status === 200, `/${schema.type}?include=${path} answered ${status}: ${JSON.stringify(body)}`)
      checkLinkage(body, `/${schema.type}?include=${path}`)
    }
  }
}

const includePaths = ({ schemas }: Pick<Served, 'schemas'>, schema: ResourceSchema): readonly string[] =>
  [...schema.relations.values()].flatMap((relation) => {
    const next = targetModels(relation).flatMap((model) => [...schemaOf(schemas, model).relations.keys()])
    return [relation.name, ...new Set(next)].map((name) => (name === relation.name ? name : `${relation.name}.${name}`))
  })

/** JSON:API, *Compound Documents*: what is included is linked, what is linked here is shown, and nothing twice. */
function checkLinkage({ data, included }: { data: readonly Shown[]; included: readonly Shown[] }, url: string): void {
  const shown = [...data, ...included].map(nameOf)
  check(new Set(shown).size === shown.length, `${url} shows a resource twice`)
  const linked = new Set(
    [...data, ...included].flatMap(({ relationships = {} }) =>
      Object.values<{ data?: unknown }>(relationships).flatMap((each) => listOf(each.data).map(nameOf)),
    ),
  )
  for (const each of included)
    check(linked.has(nameOf(each)), `${url} includes ${nameOf(each)}, which nothing links to`)
  for (const name of linked) check(shown.includes(name), `${url} links to ${name}, which it does not show`)
}
