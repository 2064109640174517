/** What may be read of a provider: its documents are small, and a request waits for them. */
export interface FetchBounds {
  readonly milliseconds: number
  readonly bytes: number
}

const providerBounds: FetchBounds = { milliseconds: 5000, bytes: 512 * 1024 }

/**
 * `fetch` that follows no redirect, waits no longer and reads no more than it may. A provider cannot hold a request
 * open, or fill the memory.
 *
 * @throws {Error} that names the URL, for more bytes and for a provider that does not respond in time.
 */
export const boundedFetch =
  ({ milliseconds, bytes }: FetchBounds = providerBounds) =>
  async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    const signal = AbortSignal.timeout(milliseconds)
    try {
      const response = await fetch(url, { ...init, redirect: 'manual', signal })
      const { status, headers } = response
      const body = await readAtMost(response, bytes)
      return new Response(status === 204 || status === 304 ? null : body, {
        status: status === 0 ? 502 : status,
        headers: { 'Content-Type': headers.get('Content-Type') ?? 'application/json' },
      })
    } catch (cause) {
      throw new Error(`${url} cannot be read: ${messageOf(cause)}`, { cause })
    }
  }

async function readAtMost(response: Response, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    // Leaving the loop cancels the body.
    if (length > most) throw new Error(`it has more than ${most} bytes.`)
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}

const messageOf = (error: unknown): string => {
  const { message, cause } = error as Error
  return cause instanceof Error ? `${message}: ${cause.message}` : message
}

interface Remembering {
  /** For so long after a failure nothing is fetched. */
  readonly pauseMilliseconds: number
  /** For so long the last good response stands in for a provider that is down. */
  readonly keptMilliseconds: number
}

/**
 * Reads one document again and again. While the provider is down it gives back the last good one, for as long as it
 * may be kept; without one, it throws the same error until the pause is over. So there is one request of the provider
 * in each pause, however many clients ask. `check` throws for a document that is none of its kind.
 */
export function rememberingFetch(
  check: (document: unknown, url: string) => void,
  { pauseMilliseconds, keptMilliseconds }: Remembering,
): (url: string) => Promise<Response> {
  const read = boundedFetch()
  let good: { readonly document: unknown; readonly at: number } | null = null
  let failed: { readonly error: unknown; readonly at: number } | null = null
  return async (url) => {
    if (failed && Date.now() - failed.at < pauseMilliseconds) return standIn(failed.error)
    try {
      const response = await read(url)
      if (response.status !== 200) throw new Error(`${url} responds with status ${response.status}.`)
      const document: unknown = await response.json()
      check(document, url)
      good = { document, at: Date.now() }
      failed = null
      return Response.json(document)
    } catch (error) {
      failed = { error, at: Date.now() }
      return standIn(error)
    }
  }

  function standIn(error: unknown): Response {
    if (good === null || Date.now() - good.at > keptMilliseconds) throw error
    return Response.json(good.document)
  }
}
