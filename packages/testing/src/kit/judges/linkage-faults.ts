import type { Json } from './judged.ts'

interface Whole {
  readonly isLinkage: boolean
  readonly url: string
}

/** Each resource is there once, and everything that is included for a reason. */
export function* linkageFaults(
  primary: readonly Json[],
  included: readonly Json[],
  { isLinkage, url }: Whole,
): Generator<string> {
  const keyOf = ({ type, id }: Json) => `${type}:${id}`
  const all = [...(isLinkage ? [] : primary), ...included]
  const byKey = new Map(all.map((item) => [keyOf(item), item]))
  if (byKey.size < all.length) yield 'a resource is there twice'
  // A sparse field set may hide the linkage by which a resource came here.
  if (/[?&]fields(\[|%5B)/i.test(url)) return
  const reached = new Set<string>()
  const todo = primary.map(keyOf)
  for (let key = todo.pop(); key !== undefined; key = todo.pop()) {
    if (reached.has(key)) continue
    reached.add(key)
    for (const { data } of Object.values((byKey.get(key)?.relationships ?? {}) as Readonly<Record<string, Json>>))
      todo.push(...[data ?? []].flat().map((each) => keyOf(each as Json)))
  }
  for (const item of included)
    if (!reached.has(keyOf(item))) yield `${keyOf(item)} is included, and nothing links to it`
}
