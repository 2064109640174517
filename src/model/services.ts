import { NotKnown } from './not-known.ts'
import type { Services } from './register.ts'

/** What classes have where a tool reads them, without the application: nothing of it is known. */
export const unknownServices: Services = new Proxy(Object.freeze({}), {
  get(_, name) {
    if (typeof name === 'symbol') return undefined
    throw new NotKnown(
      `services.${name} has no answer here: a tool reads this class, without createApi({ services }). Ask for it in a method that a request calls.`,
    )
  },
}) as Services
