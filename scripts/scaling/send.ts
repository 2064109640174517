import { type Agent, request } from 'node:http'

const type = 'application/vnd.api+json'

/** A request that a client of a measured deployment sends. */
export interface Sent {
  readonly method?: 'GET' | 'POST' | 'PATCH'
  readonly headers?: Readonly<Record<string, string>>
  readonly data?: object
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

/** Rejects where the connection is lost before the answer has ended. */
export function send(agent: Agent, url: string, { method = 'GET', headers = {}, data }: Sent): Promise<Answer> {
  const body = data && JSON.stringify({ data })
  const more = body === undefined ? {} : { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) }
  return new Promise((resolve, reject) => {
    const asked = request(url, { agent, method, headers: { Accept: type, ...more, ...headers } }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      answer.on('error', reject)
      answer.on('end', () => resolve({ status: answer.statusCode as number, headers: answer.headers, text }))
    })
    asked.on('error', reject).end(body)
  })
}
