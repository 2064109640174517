import type { Context } from 'koa'

/** Where a request was sent. To parse it costs as much as to read a row, and hardly any request needs it. */
export interface RequestUrl {
  readonly url: URL
  /** Its query with the question mark, empty where there is none. */
  readonly search: string
}

/** What almost every request asks for: a target that `URL` would leave as it is. */
const plainTarget = /^\/[\w-][\w\-./?=&%,]*$/

const isPlain = (target: string): boolean => plainTarget.test(target)

/** Has the request a target that an URL can be made of; Koa throws where it has none. */
export const isReadable = ({ req: { url = '' } }: Context): boolean =>
  isPlain(url) || URL.canParse(url, 'http://localhost')

export function requestUrl({ originalUrl }: Context, base: string): RequestUrl {
  let url: URL | null = null
  const parsed = () => {
    url ??= new URL(originalUrl, base)
    return url
  }
  return {
    get url() {
      return parsed()
    },
    search: isPlain(originalUrl) ? searchOf(originalUrl) : parsed().search,
  }
}

function searchOf(target: string): string {
  const at = target.indexOf('?')
  return at < 0 || at === target.length - 1 ? '' : target.slice(at)
}
