import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import type { Answer } from '../../send.ts'
import { isObject, type Json } from '../judges/judged.ts'
import { askFilters } from './ask-filters.ts'
import { askPages } from './ask-pages.ts'
import { askSorts } from './ask-sorts.ts'
import { includePathsOf, inclusionFaults } from './include-checks.ts'
import { allowed, type Interview, resourcesIn } from './interview.ts'

/** The collection of a type by everything that its schema says it can be asked with. */
export async function askCollection(own: Interview, schema: ResourceSchema, depth: number): Promise<void> {
  const path = `/${schema.type}`
  const all = await own.ask({ path, status: [200, ...own.denials], primary: 'resources' })
  if (all.status !== 200) return
  await askSame(own, all)
  await askIncludes(own, schema, depth)
  await askSorts(own, schema, resourcesIn(all))
  await askFields(own, schema)
  await askFilters(own, schema, resourcesIn(all))
  await askPages(own, schema, all)
  await askNonsense(own, schema)
}

/** HEAD is GET without a body. */
async function askSame(own: Interview, { request, status, headers }: Answer): Promise<void> {
  const path = request.path.slice(own.server.basePath.length)
  const head = await own.ask({ method: 'HEAD', path, status: [status] })
  for (const name of ['content-type', 'vary', 'etag'])
    if (head.headers.get(name) !== headers.get(name))
      own.note(head, `${name} is ${head.headers.get(name)}, where GET has ${headers.get(name)}`)
}

async function askIncludes(own: Interview, schema: ResourceSchema, depth: number): Promise<void> {
  const { schemas, limits } = own.server
  const status = allowed(own, schema)
  for (const path of ['', ...includePathsOf(schemas, [schema], Math.min(depth, limits.includeDepth))]) {
    const answer = await own.ask({
      path: `/${schema.type}?include=${path}`,
      status,
      primary: 'resources',
      parameter: 'include',
    })
    if (answer.status !== 200) continue
    for (const fault of path === '' ? [] : inclusionFaults(answer, path)) own.note(answer, fault)
    if (path === '' && document(answer).included === undefined) own.note(answer, 'included is missing')
  }
}

const document = (answer: Answer): Json => (isObject(answer.document) ? answer.document : {})

async function askFields(own: Interview, schema: ResourceSchema): Promise<void> {
  const shown = [...schema.attributes.values()].filter(
    ({ writeOnly, name }) => !writeOnly && name !== schema.deletedAtAttribute,
  )
  for (const names of [[], ...shown.slice(0, 1).map(({ name }) => [name])]) {
    const path = `/${schema.type}?fields[${schema.type}]=${names.join()}`
    const answer = await own.ask({ path, status: allowed(own, schema), primary: 'resources' })
    for (const { type, id, attributes, relationships } of resourcesIn(answer)) {
      const fields = [attributes, relationships].flatMap((each) => (isObject(each) ? Object.keys(each) : []))
      const due = names.filter((name) => fields.includes(name) || !own.server.mayLack(schema, name))
      if (fields.join() !== due.join()) own.note(answer, `${type}:${id} has the fields ${fields.join()}`)
    }
  }
}

/** What the server does not know is 400, and named (JSON:API, *Query Parameters*). */
async function askNonsense(own: Interview, schema: ResourceSchema): Promise<void> {
  const path = `/${schema.type}`
  if (!own.server.ignoresUnknownParameters)
    for (const name of ['bogus', 'camelCase'])
      await own.ask({ path: `${path}?${name}=1`, status: [400], parameter: name })
  const named = { include: 'no-such-relation', sort: 'no-such-field', 'filter[no-such-field]': '1' }
  for (const [parameter, value] of Object.entries(named))
    await own.ask({ path: `${path}?${parameter}=${value}`, status: [400], parameter })
  for (const query of ['filter[_]=1', 'page[_]=1', 'fields[x=1', 'include[x]=1', 'sort[x]=1'])
    await own.ask({ path: `${path}?${query}`, status: [400] })
}
