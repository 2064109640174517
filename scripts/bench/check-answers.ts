import { isDeepStrictEqual } from 'node:util'
import type { ServerProcess } from './server-process.ts'
import type { Usage } from './servers/process.ts'
import type { Request, Workload } from './workloads.ts'

const asked = 40

/**
 * Asks every server the same, and compares what they answer, before anybody takes the time. Prints what went the slow way.
 * Reads come first: what is written carries the time of its writing, which no two servers share.
 *
 * @returns the number of statements per request: by workload, by server.
 * @throws {Error} that names the servers and the URL when they differ.
 */
export async function checkSameAnswers(
  servers: readonly ServerProcess[],
  workloads: readonly Workload[],
  isOther: (server: string, workload: Workload) => boolean,
): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>> {
  const queries = new Map<string, Map<string, number>>()
  const reads = workloads.filter(({ isWrite }) => !isWrite)
  const writes = workloads.filter(({ isWrite }) => isWrite)
  for (const workload of [...reads, ...writes]) {
    const counted = new Map<string, number>()
    const answers = await Promise.all(
      servers.map(async (server) => {
        const before = await server.usage()
        const texts: string[] = []
        for (let n = 0; n < asked; n++) texts.push(await answerOf(server, workload.request(n)))
        const after = await server.usage()
        counted.set(server.name, (after.queries - before.queries) / asked)
        printFallbacks(`${workload.name}, ${server.name}`, before.fallbacks, after.fallbacks)
        return texts
      }),
    )
    for (const [i, texts] of answers.entries()) {
      const n = texts.findIndex((text, at) => !isSame(text, answers[0]?.[at] ?? '', workload))
      if (n < 0) continue
      if (isOther(servers[i]?.name ?? '', workload)) {
        console.log(`OTHER ANSWERS  ${workload.name}, ${servers[i]?.name}: Prisma compares instants as it spells them`)
        continue
      }
      const { method, path } = workload.request(n)
      const difference = differenceOf(texts[n] ?? '', answers[0]?.[n] ?? '')
      throw new Error(`${servers[i]?.name} and ${servers[0]?.name} differ: ${method} ${path}\n${difference}`)
    }
    queries.set(workload.key, counted)
  }
  return queries
}

/** A benchmark in which some requests go another way than others measures neither. */
function printFallbacks(where: string, before: Usage['fallbacks'], after: Usage['fallbacks']): void {
  for (const [reason, count] of Object.entries(after)) {
    const times = count - (before[reason] ?? 0)
    if (times > 0) console.log(`SLOW WAY  ${where}: ${times} of ${asked} requests, ${reason}`)
  }
}

const shown = 80

/** Where two texts part, and no more of them than that takes: the documents have tens of thousands of characters. */
function differenceOf(text: string, other: string): string {
  let at = 0
  while (at < text.length && text[at] === other[at]) at++
  const from = Math.max(0, at - shown)
  const part = (of: string) => JSON.stringify(of.slice(from, at + shown))
  return `at character ${at} of ${text.length} and ${other.length}:\n${part(text)}\n${part(other)}`
}

async function answerOf(server: ServerProcess, { method, path, body, token }: Request): Promise<string> {
  const mediaType = 'application/vnd.api+json'
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    method,
    headers: {
      accept: mediaType,
      ...(body !== undefined && { 'content-type': mediaType }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${server.name}: ${path} answers ${response.status}: ${text.slice(0, 500)}`)
  return text
}

/** Reads answer byte for byte the same; what was written just now carries the time of the writing. */
function isSame(text: string, other: string, { isWrite }: Workload): boolean {
  if (!isWrite) return text === other
  const timeless = (document: string) => document.replaceAll(/"(created|updated)At":"[^"]*"/g, '')
  return isDeepStrictEqual(timeless(text), timeless(other))
}
