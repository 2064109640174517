import type { CompiledServer } from '@prismapi/core/server/compile'
import { type Served, serve } from '@prismapi/core/server/serving'
import { everything } from '@prismapi/jsonapi/condition/build'
import { NotKnown } from '@prismapi/jsonapi/model/register'
import type { HookRequest } from '@prismapi/jsonapi/schema/filters'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { type Formula, opaque } from '../formula.ts'
import { atTime, type Run } from './symbols.ts'
import { toFormula } from './to-formula.ts'

/** What the serving phase of a server says of one kind of caller. */
interface Said {
  /** The rows that are not hidden. */
  scope(schema: ResourceSchema): Formula
  /** What a schema's `indexQuery` leaves of a collection. */
  index(schema: ResourceSchema): Promise<Formula>
}

/** `served` is what the phase registers; null where the phase is opaque, for the reason that `unknown` says. */
export type ServedFormulas = Said &
  (
    | { readonly served: Pick<Served, 'authorizers' | 'defaultAuthorizer' | 'hooks'> }
    | { readonly served: null; readonly unknown: Formula }
  )

const asRelation = 'Write the scope as a relation: { organization: { memberships: { some: { userId: user.id } } } }'

/** A request of which the caller is known alone: what code asks of the rest, no formula can say. */
class CallerOnly implements HookRequest {
  readonly user: unknown
  // The phase is handed it at once, whether it reads it or not.
  readonly method = 'GET'
  constructor(user: unknown) {
    this.user = user
  }
  get url(): URL {
    throw new Error('it reads the URL of the request')
  }
  get params(): never {
    throw new Error('it reads the parameters of the base path')
  }
}

export async function servedFormulas(server: CompiledServer, runs: readonly [Run, Run]): Promise<ServedFormulas> {
  const index = async (schema: ResourceSchema) => {
    const read = ({ user, now }: Run) => atTime(now, () => schema.hooks.indexQuery(new CallerOnly(user)) ?? everything)
    try {
      return toFormula([await read(runs[0]), await read(runs[1])], runs)
    } catch {
      // The hook asked for more than the user, or fails without it.
      return opaque('indexQuery() of its schema is code')
    }
  }
  try {
    const [first, second] = [await servedFor(server, runs[0]), await servedFor(server, runs[1])]
    const scope = ({ model }: ResourceSchema): Formula => {
      const of = ({ scopesById }: Served) => scopesById.get(model.name) ?? everything
      return toFormula([of(first), of(second)], runs)
    }
    return { scope, index, served: first }
  } catch (error) {
    const reason = `serving(): ${(error as Error).message}`
    // Of a claim that is a list, say.
    const unknown = opaque(error instanceof NotKnown ? `${reason}. ${asRelation}` : reason)
    return { scope: () => unknown, index, served: null, unknown }
  }
}

/** What was deleted softly is told apart from what scopes hide, so all of it counts as visible here. */
async function servedFor(server: CompiledServer, { user, now }: Run): Promise<Served> {
  const trash = new Set(server.softDeleted.map(({ model }) => model.name))
  return atTime(now, () => serve(new CallerOnly(user), server, { trash, viewable: new Map() }))
}
