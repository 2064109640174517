import { eachOf } from './each-of.ts'
import { isObject } from './judges/judged.ts'
import type { Asker } from './tested.ts'

/** Ids of the rows that some caller comes across, by type. */
export type Seen = ReadonlyMap<string, readonly string[]>

/** As many paths as one request may include. */
const pathsAtOnce = 20

/** What the callers of one server see of its first pages, and of what those include. */
export async function scoutOf(askers: readonly Asker[]): Promise<Seen> {
  const seen = new Map<string, Set<string>>()
  for (const asker of askers) await scout(asker, seen)
  return new Map([...seen].map(([type, ids]) => [type, [...ids]]))
}

async function scout({ server, ask }: Asker, seen: Map<string, Set<string>>): Promise<void> {
  const schemas = [...server.schemas.byType.values()]
  for (const { type } of schemas) if (!seen.has(type)) seen.set(type, new Set())
  // Included rows come last: the first of a type are those of its own collection.
  const urls = schemas.map(({ type }) => `${server.basePath}/${type}`)
  const including = schemas.flatMap(({ type, relations }) => {
    const paths = [...relations.values()].flatMap(({ name, isIncludable }) => (isIncludable ? [name] : []))
    return paths.length > 0 ? [`${server.basePath}/${type}?include=${paths.slice(0, pathsAtOnce).join()}`] : []
  })
  const documents = new Map<string, unknown>()
  await eachOf([...urls, ...including], async (path) => {
    documents.set(path, (await ask({ method: 'GET', path })).document)
  })
  for (const path of [...urls, ...including])
    for (const { type, id } of resourcesOf(documents.get(path))) seen.get(type)?.add(id)
}

/** Is a caller who signs in taken for a guest, at every type of all these servers. A guest may be. */
export async function isTurnedAway(askers: readonly Asker[]): Promise<boolean> {
  for (const { server, ask, isNamed } of askers) {
    if (!(await isNamed())) return false
    for (const type of server.schemas.byType.keys())
      if ((await ask({ method: 'GET', path: `${server.basePath}/${type}` })).status !== 401) return false
  }
  return true
}

/** The resources of a document, primary ones first. */
function resourcesOf(document: unknown): readonly { readonly type: string; readonly id: string }[] {
  if (!isObject(document)) return []
  const { data, included } = document
  const all = [data ?? [], included ?? []].flat(2).filter(isObject)
  return all.map(({ type, id }) => ({ type: String(type), id: String(id) }))
}
