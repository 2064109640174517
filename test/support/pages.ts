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

/** The opening tag that begins so, or null. */
export const tagOf = (text: string, start: string): string | null => {
  const from = text.indexOf(`<${start}`)
  return from < 0 ? null : text.slice(from, text.indexOf('>', from) + 1)
}
