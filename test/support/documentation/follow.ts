import type { useApi } from '../api.ts'
import { openShell } from '../shell.ts'
import { type Fence, fencesOf, placeOf } from './fences.ts'
import { read, root } from './pages.ts'
import { matches, seenOf } from './shown.ts'

/** Where the pages say that the example listens. */
export const shownOrigin = 'http://127.0.0.1:3000'

type Api = ReturnType<typeof useApi>

/** The part of an answer that pages show. */
interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly document: unknown
}

/** What a page shows, and what there was when its requests were made. */
interface Compared {
  readonly place: string
  readonly shown: unknown
  readonly seen: unknown
}

/**
 * Makes the requests of a page to the example, in their order, and compares what the page shows of the answers.
 *
 * A request is a fence of `http`, commands with curl in a fence of `sh`, or a line "`GET /posts`" in front of an answer. Its
 * caller is a guest, or `as=member3@example.com` of the fence. An answer is a fence of `json`, or one of `http` that does not
 * begin with a request; where it has no request of its own, it belongs to the last one.
 *
 * @param select the fences of the page that are requests and answers.
 */
export async function followRequests(page: string, api: Api, select: (fence: Fence) => boolean): Promise<Compared[]> {
  const shell = openShell(root)
  const fences = fencesOf(page).filter(select)
  const compared: Compared[] = []
  let answer: Answer | null = null
  try {
    await shell.run(await npmOf(api))
    for (const [i, fence] of fences.entries()) {
      const next = fences[i + 1]
      let errors: unknown = []
      if (fence.language === 'sh') {
        const followed = await followCommands(fence, shell, api)
        compared.push(...followed.compared)
        answer = followed.answer ?? answer
        errors = followed.errors
      } else if (isRequest(fence)) {
        answer = await ask(api, fence, parseRequest(fence.code))
        errors = errorsOf(answer.document)
      } else {
        const line = requestBefore(fence)
        if (line) answer = await ask(api, fence, parseRequest(line))
        if (!answer)
          throw new Error(`${placeOf(fence)}: an answer without a request. Put "\`GET /…\`" in the line above.`)
        compared.push({ place: placeOf(fence), ...compare(fence, answer) })
      }
      // An error that the page does not show was not meant.
      if (next === undefined || isRequest(next)) compared.push({ place: placeOf(fence), shown: [], seen: errors })
    }
  } finally {
    shell.close()
  }
  return compared
}

const isRequest = ({ language, code }: Fence): boolean => language === 'sh' || /^[A-Z]+ \//.test(code)

const errorsOf = (document: unknown): readonly unknown[] =>
  (document as { readonly errors?: readonly unknown[] } | null)?.errors ?? []

/** `npm`, as far as the pages use it: the example runs already, and makes tokens. */
async function npmOf(api: Api): Promise<string> {
  const members = ['admin', 'editor', 'member3', 'member4', 'member5', 'member6']
  const tokens = members.map(async (name, i) => {
    const [, token] = (await api.authorization(i + 1)).split(' ')
    return `*${name}@example.com) echo '${token}';;`
  })
  return `npm() { case "$*" in start) ;; ${(await Promise.all(tokens)).join(' ')} *) return 1;; esac; }\n`
}

/** Runs the commands of a fence. A comment behind them is what they say: `# ETag: "…"`. */
async function followCommands(fence: Fence, shell: ReturnType<typeof openShell>, api: Api) {
  const compared: Compared[] = []
  let said = ''
  // The pieces are, by turns, commands and what stands in comments behind them.
  for (const piece of fence.code.split(/^((?:# .*\n)+)/m)) {
    if (!piece.startsWith('# ')) {
      said =
        piece.trim() === '' ? said : await shell.run(piece.replaceAll(`${shownOrigin}/`, api.url('/api/').slice(0, -4)))
      continue
    }
    const shown = piece.replaceAll(/^# /gm, '').trim()
    compared.push({ place: placeOf(fence), shown, seen: matches(shown, said.trim()) ? shown : said.trim() })
  }
  // Behind the headers that `curl -i` shows.
  const documents = [...said.trim().matchAll(/^\{.*\}$/gm)].map(([text]) => JSON.parse(text))
  const document = documents.at(-1)
  const answer = document === undefined ? null : { status: 0, headers: new Headers(), document }
  return { compared, answer, errors: documents.flatMap(errorsOf) }
}

interface Request {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

function parseRequest(code: string): Request {
  const [head = '', ...body] = code.split('\n\n')
  const [line = '', ...headers] = head.trim().split('\n')
  const [method = '', path = ''] = line.split(' ')
  const pairs = headers.map((header) => [header.slice(0, header.indexOf(':')), header.slice(header.indexOf(':') + 1)])
  return {
    method,
    path,
    headers: Object.fromEntries(pairs.map(([name = '', value = '']) => [name, value.trim()])),
    body: body.length === 0 ? undefined : body.join('\n\n').trimEnd(),
  }
}

async function ask(api: Api, { says }: Fence, { method, path, headers, body }: Request): Promise<Answer> {
  const server = `/api/${says.on ?? 'v1'}`
  const authorization = says.as === undefined ? {} : { Authorization: await authorizationOf(api, says.as) }
  const response = await fetch(api.url(path.startsWith('/api') ? path : server + path), {
    method,
    headers: { ...authorization, ...headers },
    ...(body !== undefined && { body }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, document: text === '' ? null : JSON.parse(text) }
}

async function authorizationOf(api: Api, email: string): Promise<string> {
  const { id } = await api.db.user.findUniqueOrThrow({ where: { email } })
  return api.authorization(id)
}

/** "`GET /posts`", where that is what stands in front of a fence. */
function requestBefore({ page, line }: Fence): string | null {
  const before = read(page)
    .split('\n')
    .slice(0, line - 2)
  const last = before.findLast((each) => each.trim() !== '') ?? ''
  return /^`([A-Z]+ \/[^`]*)`$/.exec(last)?.[1] ?? null
}

function compare({ language, code }: Fence, { status, headers, document }: Answer) {
  if (language === 'json') {
    const shown = JSON.parse(code)
    return { shown, seen: seenOf(shown, withoutServer(document, code)) }
  }
  const [, wanted] = /^HTTP\/1\.1 (\d+)/.exec(code) ?? []
  const shown = Object.fromEntries(
    [...code.matchAll(/^([\w-]+): (.*)$/gm)].map(([, name = '', value]) => [name, value]),
  )
  const seen = Object.fromEntries(Object.keys(shown).map((name) => [name, headers.get(name) ?? '']))
  if (wanted === undefined) return { shown, seen: seenOf(shown, seen) }
  return { shown: { status: wanted, ...shown }, seen: { status: String(status), ...(seenOf(shown, seen) as object) } }
}

/** Where a page leaves out the origin of links, and the server. */
const withoutServer = (document: unknown, code: string): unknown =>
  code.includes(shownOrigin)
    ? document
    : JSON.parse(JSON.stringify(document).replaceAll(new RegExp(`"${shownOrigin}/api/v\\d+`, 'g'), '"'))
