import type { Context } from 'koa'
import type { RequestUrl } from '../../request/request-url.ts'

/** What almost every request asks for: a target that `URL` would leave as it is. */
const plainTarget = /^\/[\w-][\w\-./?=&%,]*$/

const isPlain = (target: string): boolean => plainTarget.test(target)

/** Has the request a target that an URL can be made of; Koa throws where it has none. */
export const isReadable = ({ req: { url = '' } }: Context): boolean =>
  isPlain(url) || URL.canParse(url, 'http://localhost')

/** What was asked for, without its query. Not `ctx.path`, which throws where the target is no URL. */
export const pathOf = ({ req: { url = '' } }: Context): string => url.split('?', 1)[0] ?? ''

export const requestUrl = ({ originalUrl }: Context, base: string): RequestUrl => new LazyUrl(originalUrl, base)

class LazyUrl implements RequestUrl {
  readonly search: string
  private readonly target: string
  private readonly base: string
  private parsed: URL | null = null

  constructor(target: string, base: string) {
    this.target = target
    this.base = base
    this.search = isPlain(target) ? searchOf(target) : this.url.search
  }

  get url(): URL {
    this.parsed ??= publicUrl(this.target, this.base)
    return this.parsed
  }
}

/** A client may send a whole URL as its target, of whichever origin: where the server lies is not for it to say. */
function publicUrl(target: string, base: string): URL {
  const sent = new URL(target, base)
  return target.startsWith('/') ? sent : new URL(new URL(base).origin + sent.pathname + sent.search)
}

function searchOf(target: string): string {
  const at = target.indexOf('?')
  return at < 0 || at === target.length - 1 ? '' : target.slice(at)
}
