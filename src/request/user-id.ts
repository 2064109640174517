import type { User } from '../model/register.ts'

/** The id of a user as a text, for what is counted and kept by user; null where the application's users have none. */
export function userId(user: User): string | null {
  const { id } = user as { readonly id?: unknown }
  return typeof id === 'string' || typeof id === 'number' || typeof id === 'bigint' ? String(id) : null
}
