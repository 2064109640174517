import type { Feature } from '../api/feature.ts'
import { inSession } from '../database/prisma/in-session.ts'
import { isGuarded } from '../database/session.ts'
import { callersOf } from './caller.ts'

/** The database is told who is asking, where its clients are guarded: then its own rules for rows hold. */
export const guard: Feature = {
  serve: ({ options: { clients } }) => {
    if (!isGuarded(clients)) return () => null
    return (server) => {
      const sessionOf = callersOf(server)
      return { store: (store, { user }) => inSession(store, sessionOf(user)) }
    }
  },
}
