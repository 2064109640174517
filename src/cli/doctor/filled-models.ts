/** A server class's instance, as far as its serving phase is looked at. */
interface Served {
  serving?(phase: unknown): unknown
}

const filling: ReadonlySet<string> = new Set(['preparing', 'creating', 'saving'])

/** The models whose new rows the hooks of a server fill, for a guest or for a user. */
export function filledModels(server: Served): ReadonlySet<string> {
  const models = new Set<string>()
  for (const user of [null, anybody]) {
    try {
      server.serving?.(phaseFor(user, models))
    } catch {
      // The server class asks for a member that this user does not have. The hooks that it registered before are known.
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
