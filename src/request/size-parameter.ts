import type { RequestUrl } from './request-url.ts'

/** The parameter by which a client makes a document smaller, as it was sent where it was. */
export function sizeParameter({ url }: RequestUrl): string {
  if (url.searchParams.get('include')) return 'include'
  const keys = [...url.searchParams.keys()]
  return keys.find((key) => key === 'page[size]' || key === 'page[limit]') ?? 'page'
}
