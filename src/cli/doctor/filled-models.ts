/** A server class's instance, as far as its serving phase is looked at. */
interface Served {
  serving?(phase: unknown): unknown
}

const filling: ReadonlySet<string> = new Set(['preparing', 'creating', 'saving'])

/** The models whose new rows hooks of the server fill, for a guest or for somebody who is signed in. */
export function filledModels(server: Served): ReadonlySet<string> {
  const models = new Set<string>()
  for (const user of [null, anybody]) {
    try {
      server.serving?.(phaseFor(user, models))
    } catch {
      // What it asks of a user that nobody is: the hooks until then are known.
    }
  }
  return models
}

const phaseFor = (user: unknown, models: Set<string>): unknown =>
  new Proxy(
    { user, method: 'POST', url: new URL('http://localhost'), services: anybody },
    {
      get: (known, name) =>
        Reflect.get(known, name) ??
        (name === 'user' ? user : (model: string) => filling.has(String(name)) && models.add(model)),
    },
  )

/** Has every member, and each of them has, too. */
const anybody: unknown = new Proxy(() => anybody, {
  get: (_, name) =>
    name === Symbol.toPrimitive
      ? () => 1
      : name === Symbol.iterator
        ? () => [].values()
        : name === 'then'
          ? undefined
          : anybody,
})
