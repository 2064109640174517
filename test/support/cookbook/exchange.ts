import type { Exchange, Message } from './page.ts'

export interface Reply {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into documents of every shape
  readonly body: any
}

export type Send = (message: Message) => Promise<Reply>

/** How a message becomes a request. */
export interface SendOptions {
  /** The address of a path. */
  readonly url: (path: string) => string
  /** What `<ann@example.com>` stands for in a header. */
  readonly tokenOf?: (email: string) => Promise<string>
  /** What other texts in headers stand for, such as `<now>`. */
  readonly textsOf?: (message: Message) => Readonly<Record<string, string>>
}

export const sender =
  ({ url, tokenOf = async (email) => email, textsOf = () => ({}) }: SendOptions): Send =>
  async (message) => {
    const { start, headers, body } = message
    const [method = '', path = ''] = start.split(' ')
    const texts = Object.entries(textsOf(message))
    const own = await Promise.all(
      headers.map(async ([name, value]) => {
        const known = texts.reduce((text, [from, to]) => text.replace(from, to), value)
        return [name, await filled(known, tokenOf)] as const
      }),
    )
    const isForm = own.some(([, value]) => value.startsWith('multipart/'))
    const text = isForm ? `${body.replaceAll('\n', '\r\n')}\r\n` : body
    const response = await fetch(url(path), { method, headers: Object.fromEntries(own), ...(body && { body: text }) })
    return { status: response.status, headers: response.headers, body: parsed(await response.text()) }
  }

async function filled(text: string, tokenOf: (email: string) => Promise<string>): Promise<string> {
  const [whole, email] = /<([^<>@]+@[^<>]+)>/.exec(text) ?? []
  return whole && email ? text.replace(whole, await tokenOf(email)) : text
}

/**
 * Asks all that a page asks, in its order: what it shows of the answers, and what they were. `…` stands for any text; in a
 * request, for the last one that was answered. `before` does what happens between two requests.
 */
export async function follow(
  exchanges: readonly Exchange[],
  send: Send,
  before: () => Promise<unknown> = async () => {},
) {
  const [shown, seen]: [object[], object[]] = [[], []]
  let last = ''
  for (const { line, request, answer } of exchanges) {
    await before()
    const reply = await send(withText(request, last))
    const body = parsed(answer.body)
    last = hiddenText(reply.body, body) ?? last
    shown.push({ line, status: Number(answer.start.split(' ')[1]), headers: Object.fromEntries(answer.headers), body })
    const headers = answer.headers.map(([name]) => [name, reply.headers.get(name)])
    seen.push({ line, status: reply.status, headers: Object.fromEntries(headers), body: masked(reply.body, body) })
  }
  return { shown, seen }
}

const withText = ({ start, headers, body }: Message, text: string): Message => ({
  start: start.replace('…', text),
  headers,
  body: body.replace('…', text),
})

/** The first text that is shown as `…`. */
function hiddenText(seen: unknown, shown: unknown): string | undefined {
  if (shown === '…') return typeof seen === 'string' ? seen : undefined
  if (!isObject(seen) || !isObject(shown)) return undefined
  const found = Object.entries(seen).map(([name, value]) => hiddenText(value, Reflect.get(shown, name)))
  return found.find((text) => text !== undefined)
}

/** What was seen, with `…` for each text where that is shown. */
function masked(seen: unknown, shown: unknown): unknown {
  if (shown === '…') return typeof seen === 'string' ? shown : seen
  if (!isObject(seen) || !isObject(shown)) return seen
  if (Array.isArray(seen)) return seen.map((each, i) => masked(each, Reflect.get(shown, i)))
  return Object.fromEntries(
    Object.entries(seen).map(([name, value]) => [name, masked(value, Reflect.get(shown, name))]),
  )
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

function parsed(text: string): unknown {
  if (text === '') return undefined
  return text.startsWith('{') ? JSON.parse(text) : text
}
