import { isPromise } from '@prismapi/jsonapi/model/awaitable'

/** What has a serving phase. */
interface Rehearsed {
  readonly services?: unknown
  readonly params?: unknown
  serving?(phase: never): unknown
}

/**
 * Runs the serving phase of a server as some users and reports what it registers, without effect. An async phase is
 * followed up to its first `await`, and a phase that throws up to that point.
 *
 * @param tell is given the name of each registration, such as `scope`, and its arguments
 */
export function rehearse(
  server: Rehearsed,
  users: readonly unknown[],
  tell: (name: string, given: readonly unknown[]) => void,
): void {
  for (const user of users) {
    try {
      const running = server.serving?.(phaseFor(user, server, tell))
      if (isPromise(running)) running.catch(() => {})
    } catch {
      // It asks for a member that this user does not have, or for a request.
    }
  }
}

function phaseFor(user: unknown, { services, params = {} }: Rehearsed, tell: Parameters<typeof rehearse>[2]): never {
  const known = { user, services, params, method: 'POST', url: new URL('http://localhost') }
  return new Proxy(known, {
    get: (_, name) =>
      Object.hasOwn(known, name)
        ? Reflect.get(known, name)
        : (...given: readonly unknown[]) => tell(String(name), given),
  }) as never
}

/** Has every member, and each of them has, too: a user of whom nothing is known. */
export const anybody: unknown = new Proxy(() => anybody, {
  get: (_, name) =>
    name === Symbol.toPrimitive
      ? () => 1
      : name === Symbol.iterator
        ? () => [].values()
        : name === 'then'
          ? undefined
          : anybody,
})
