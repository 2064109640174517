import { knownUser } from '@prismapi/core/http/authentication'
import type { Call } from '@prismapi/core/http/call'
import { contextFor } from '@prismapi/core/http/execution'
import { type PageRequest, visibleApiFor } from '../data/page-request.ts'

/** Null for a guest; undefined if that is unknown, such as without the database: the document says what is wrong. */
export async function userFor(call: Call): Promise<unknown> {
  try {
    return await knownUser(call)
  } catch {
    return undefined
  }
}

/** The caller of a page, whose user is known; null where the context of the request cannot be made. */
export async function callerOf(call: Call, user: unknown): Promise<PageRequest['caller']> {
  try {
    call.user = user
    const ctx = call.api.plugins.reduce(
      (context, { pageContext }) => pageContext?.(call, context) ?? context,
      await contextFor(call),
    )
    return { ctx, api: await visibleApiFor(ctx) }
  } catch {
    // The document says what is wrong, as far as that is for clients to know.
    return null
  }
}
