import type { Answer, Plan, PlanKind, Reader } from '../reader.ts'
import type { Delegates } from '../store.ts'
import type { TransactionalClient } from './committed-client.ts'
import { translated } from './database-errors.ts'
import { tell } from './in-session.ts'

// As long as writes may wait, and take.
const limits = { maxWait: 10_000, timeout: 10_000 }

/** Reads by Prisma: a plan with a session in a transaction of its own, which begins with it. */
export function readerWithSessions(client: object, readerOf: (client: Delegates) => Reader): Reader {
  const plain = readerOf(client as Delegates)
  return {
    read<Kind extends PlanKind>(plan: Plan<Kind>) {
      const { session } = plan
      if (!session) return plain.read(plan)
      return translated(() =>
        (client as TransactionalClient).$transaction(async (inside): Promise<Answer<Kind>> => {
          await tell({ client: inside }, session)
          return readerOf(inside).read(plan)
        }, limits),
      )
    },
  }
}
