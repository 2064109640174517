import { actionUrl, relationshipUrl, resourceUrl, typeUrl } from '@prismapi/core/serialize/links'
import type { CompiledServer } from '@prismapi/core/server/compile'
import type { IncomingRequest } from '@prismapi/core/server/incoming-request'
import type { ServerContext } from '@prismapi/core/server/serving'
import type { Parameter, RequestUrl } from '@prismapi/jsonapi/request/hook-context'
import { isReading, type Operation } from '@prismapi/jsonapi/request/operation'

/** Who acts on a server. */
export interface Actor {
  readonly server: CompiledServer
  /** Null for a guest, and for a job. */
  readonly user: unknown
  /** The name of a job, which acts without policies and scopes; null for users and guests. */
  readonly job: string | null
}

interface Called extends Pick<IncomingRequest, 'operation' | 'isWithin' | 'requestId'> {
  readonly parameters: readonly Parameter[]
}

/** One call from inside of the process. */
export class DirectCall implements IncomingRequest {
  readonly server: CompiledServer
  readonly user: unknown
  readonly job: string | null
  readonly requestId: string | null
  readonly operation: Operation | null
  readonly at: RequestUrl
  readonly isWithin: boolean
  context: ServerContext | null = null

  /** `operation` is null for a transaction, which is about none. */
  constructor({ server, user, job }: Actor, { operation, parameters, isWithin, requestId }: Called) {
    this.server = server
    this.user = user
    this.job = job
    this.requestId = requestId
    this.isWithin = isWithin
    this.operation = operation
    this.at = new Unsent(server, operation, parameters)
  }

  get mayWrite(): boolean {
    return this.operation === null || !isReading(this.operation)
  }
}

/** Where a call would be sent by HTTP: only hooks and errors ask for it. */
class Unsent implements RequestUrl {
  readonly parameters: readonly Parameter[]
  readonly #server: CompiledServer
  readonly #operation: Operation | null

  constructor(server: CompiledServer, operation: Operation | null, parameters: readonly Parameter[]) {
    this.#server = server
    this.#operation = operation
    this.parameters = parameters
  }

  get search(): string {
    const pairs = this.parameters.map(({ key, value }) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`)
    return pairs.length === 0 ? '' : `?${pairs.join('&')}`
  }

  get url(): URL {
    return new URL(urlOf(this.#server, this.#operation) + this.search)
  }
}

export function urlOf(server: CompiledServer, operation: Operation | null): string {
  if (operation === null) return server.baseUrl
  if (operation.kind === 'action') return actionUrl({ server }, operation)
  const { schema } = operation
  if (!('id' in operation)) return typeUrl({ server }, schema.type)
  const self = resourceUrl({ server }, { schema, id: operation.id.toWellFormed() })
  return 'relation' in operation ? relationshipUrl(self, operation.relation) : self
}
