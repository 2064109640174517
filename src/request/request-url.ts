/** Where a request was sent. To parse it costs as much as to read a row, and hardly any request needs it. */
export interface RequestUrl {
  readonly url: URL
  /** Its query with the question mark, empty where there is none. */
  readonly search: string
}

/** Where a request would be sent that the server makes of another. */
export const requestedAt = (url: URL): RequestUrl => ({ url, search: url.search })

/** The parameter by which a client makes a document smaller, as it was sent where it was. */
export function sizeParameter({ url }: RequestUrl): string {
  if (url.searchParams.get('include')) return 'include'
  const keys = [...url.searchParams.keys()]
  return keys.find((key) => key === 'page[size]' || key === 'page[limit]') ?? 'page'
}
