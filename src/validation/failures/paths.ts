const step = /\["(.*?)"\](?=$|[.[])|\[(\d+)\]|([^.[]+)/gs

/** A path as yup writes it (`tags[0].id`, `meta["a.b"]`), as its names. */
export const parsePath = (path: string): readonly string[] =>
  [...path.matchAll(step)].map((match) => (match[1] ?? match[2] ?? match[3]) as string)

/** The names as yup would write them. */
export const writePath = (names: readonly string[]): string =>
  names.reduce((path, name) => {
    if (/^\d+$/.test(name)) return `${path}[${name}]`
    if (name.includes('.')) return `${path}["${name}"]`
    return path === '' ? name : `${path}.${name}`
  }, '')

export interface Match {
  readonly path: readonly string[]
  readonly value: unknown
  readonly parent: unknown
}

/** The values of the data that a rule's key names: `tags.*.id` is one for each tag. A missing one is undefined. */
export function* matches(data: unknown, names: readonly string[], path: readonly string[] = []): Generator<Match> {
  const [name, ...rest] = names
  if (name === undefined) return
  for (const key of name === '*' ? keysOf(data) : [name]) {
    const value = isContainer(data) && Object.hasOwn(data, key) ? data[key] : undefined
    const at = [...path, key]
    if (rest.length === 0) yield { path: at, value, parent: data }
    else yield* matches(value, rest, at)
  }
}

const keysOf = (value: unknown): readonly string[] => (isContainer(value) ? Object.keys(value) : [])

const isContainer = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
