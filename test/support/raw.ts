import http from 'node:http'

export interface RawSend {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** The bytes of the body, as they go over the wire; several are sent as chunks. */
  readonly body?: Buffer | string | readonly Buffer[]
  /** `false` leaves the request unfinished: more of its body is said to come. */
  readonly end?: boolean
  readonly agent?: http.Agent
}

export interface RawAnswer {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  // biome-ignore lint/suspicious/noExplicitAny: tests look into documents of every shape
  readonly body: any
}

/** A request with no header and no byte but those that are given. */
export function raw(
  url: string,
  { method = 'GET', headers = {}, body, end = true, agent }: RawSend = {},
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method, headers: { ...headers }, ...(agent && { agent }) })
    request.on('error', reject).on('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: text === '' ? undefined : JSON.parse(text),
        })
        if (!end) request.destroy()
      })
    })
    for (const chunk of Array.isArray(body) ? body : body === undefined ? [] : [body]) request.write(chunk)
    if (end) request.end()
    else request.flushHeaders()
  })
}
