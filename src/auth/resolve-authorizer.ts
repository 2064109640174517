import type { RequestContext } from '../request/context.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'
import type { AuthorizerClass } from './authorizer.ts'

/** Who decides on a type: registered with a list of schemas → beside the schema → the server's default; null: its policy. */
export const resolveAuthorizer = (
  ctx: Pick<RequestContext, 'server' | 'served'>,
  { type }: ResourceSchema,
): AuthorizerClass | null =>
  ctx.served.authorizers.get(type) ?? ctx.server.authorizers.get(type) ?? ctx.served.defaultAuthorizer
