import type { RequestContext } from '../actions/context.ts'
import type { CompiledServer } from './compile.ts'
import type { Served } from './serving.ts'

/** A request's context with all of its server, for what answers it: pages, documents about the server, errors. */
export interface ServerContext extends RequestContext {
  readonly server: CompiledServer
  readonly served: Served
}
