import type { CompiledServer } from '../../server/compile.ts'

const plainTarget = /^\/(?!\/)[\x21-\x5b\x5d-\x7e]*$/

/** Where a page is to lead back to: only to a page of this server, which is found out as a browser would, without the dots; null for all else. */
export function backTo({ basePath }: Pick<CompiledServer, 'basePath'>, target: string | null): string | null {
  if (target === null || !plainTarget.test(target)) return null
  const { pathname, search } = new URL(target, 'http://localhost')
  return pathname === basePath || pathname.startsWith(`${basePath}/`) ? pathname + search : null
}
