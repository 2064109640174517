import type { ResourceSchema } from '../../../schema/resource-schema.ts'
import type { Answer } from '../../send.ts'
import type { NewResource } from './conformance-writes.ts'

/** How resources of a type are written. */
export interface Writing {
  make(): Promise<NewResource>
  /** Attributes that the application decides about. */
  readonly adjusted: readonly string[]
}

/** A request that sends a resource, or linkage. */
export const sent = (method: string, path: string, data: unknown) => ({ method, path, body: JSON.stringify({ data }) })

/** Where the application wants to be told which version is meant, it is the last one. */
export function versionOf({ requiresIfMatch }: ResourceSchema, { headers }: Answer): Readonly<Record<string, string>> {
  const etag = headers.get('etag')
  return requiresIfMatch && etag !== null ? { 'If-Match': etag } : {}
}
