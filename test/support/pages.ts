import { request } from 'node:http'
import { gunzipSync } from 'node:zlib'
import type { useApi } from './api.ts'

/** What browsers ask for. */
export const browserAccept =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8'

export interface PageAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

type Api = Pick<ReturnType<typeof useApi>, 'url' | 'authorization'>

/** Asks as a browser does, which follows no redirect. */
export function browserOf(api: Api) {
  const send = async (path: string, init: RequestInit = {}): Promise<PageAnswer> => {
    const headers = { Accept: browserAccept, ...(init.headers as Record<string, string>) }
    const response = await fetch(api.url(path), { redirect: 'manual', ...init, headers })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  /** A form of a page, as the page sends it. */
  const submit = (
    path: string,
    fields: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = {},
  ) =>
    send(path, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { 'Sec-Fetch-Site': 'same-origin', ...headers },
    })
  return {
    send,
    submit,
    /** The cookie of a signed-in user, for requests and as its attributes. */
    async signIn(userId: number, base = '/api/v1') {
      const token = (await api.authorization(userId)).replace('Bearer ', '')
      const answer = await submit(`${base}/-browse/sign-in`, { token, back: `${base}/posts` })
      const whole = answer.headers.get('Set-Cookie') ?? ''
      return { answer, token, whole, cookie: whole.split(';')[0] as string }
    },
  }
}

/** What came, as it was transferred: fetch of Node unpacks it, and says by itself what it is for. */
interface Transferred {
  readonly encoding: string | undefined
  readonly body: Buffer
}

/** Asks as a browser does, with what it says of who asks. */
export const transferred = (url: string, headers: Readonly<Record<string, string>>): Promise<Transferred> =>
  new Promise((resolve, reject) => {
    const sent = { Accept: browserAccept, 'Accept-Encoding': 'gzip, deflate, br', ...headers }
    request(url, { headers: sent }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve({ encoding: response.headers['content-encoding'], body: Buffer.concat(chunks) }))
    })
      .on('error', reject)
      .end()
  })

/** As the bar of the browser asks. */
export const opened = { 'Sec-Fetch-Dest': 'document', 'Sec-Fetch-Site': 'none' }

/** The bytes of a page's first paint, with all that it loads, and its text. */
export async function firstPaint(url: string, headers: Readonly<Record<string, string>> = {}) {
  const { body } = await transferred(url, { ...opened, ...headers })
  const text = gunzipSync(body).toString()
  const assets = [...text.matchAll(/(?:href|src)="([^"]*\/assets\/[^"]*)"/g)].map(([, href]) => href as string)
  const parts = await Promise.all(assets.map((href) => transferred(new URL(href, url).href, {})))
  const unpacked = assets.filter((_, i) => parts[i]?.encoding !== 'gzip')
  return { text, unpacked, bytes: parts.reduce((bytes, part) => bytes + part.body.length, body.length) }
}

/** The opening tag that begins so, or null. */
export const tagOf = (text: string, start: string): string | null => {
  const from = text.indexOf(`<${start}`)
  return from < 0 ? null : text.slice(from, text.indexOf('>', from) + 1)
}

/** A form of a page, and what it sends as it is. */
export function formIn(text: string, id: string): { readonly action: string; readonly fields: Record<string, string> } {
  const [, inside = ''] = new RegExp(`(?:id|class)="${id}"[^>]*>(.*?)</form>`, 's').exec(text) ?? []
  const fields: Record<string, string> = {}
  for (const [, tag = '', list = '', shown = ''] of inside.matchAll(controls)) {
    const name = attributeOf(tag, 'name')
    if (name === null || (tag.includes('type="checkbox"') && !tag.endsWith(' checked'))) continue
    fields[name] = list.startsWith('select') ? chosenIn(shown) : (attributeOf(tag, 'value') ?? plain(shown))
  }
  return { action: attributeOf(inside, 'action') ?? '', fields }
}

const controls = /<(?=input|select|textarea)([^>]*)>(?:(?<=<(select|textarea)\b[^>]*>)\n?(.*?)<\/\2>)?/gs

const chosenIn = (options: string): string => {
  const all = [...options.matchAll(/<option([^>]*)>([^<]*)/g)]
  const [, tag = '', shown = ''] = all.find(([, each = '']) => each.endsWith(' selected')) ?? all[0] ?? []
  return attributeOf(tag, 'value') ?? plain(shown)
}

const attributeOf = (tag: string, name: string): string | null => {
  const [, value] = new RegExp(`\\b${name}="([^"]*)"`).exec(tag) ?? []
  return value === undefined ? null : plain(value)
}

const plain = (text: string): string =>
  text.replace(
    /&(?:amp|lt|gt|quot|#39);/g,
    (code) => ({ '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' })[code] ?? "'",
  )
