import { sampleOf } from '../random.ts'
import type { Interview } from './interview.ts'

/** So many links, and one from each kind of place in any case. */
function chosen(links: ReadonlyMap<string, string>, count: number): readonly string[] {
  const ofKind = new Map([...links].reverse().map(([link, place]) => [place, link]))
  return count > 0 ? [...new Set([...ofKind.values(), ...sampleOf([...links.keys()], count, 1)])] : []
}

/** Follows links: the target agrees with them (JSON:API, *Links*). The caller may be denied some. */
export async function askLinks(own: Interview, count: number): Promise<void> {
  const { basePath } = own.server
  for (const link of chosen(own.links, count)) {
    const { pathname, search } = new URL(link, 'http://tested')
    if (pathname !== basePath && !pathname.startsWith(`${basePath}/`)) {
      own.note(
        { request: { method: 'GET', path: pathname + search } },
        `a link leads here, which is not below ${basePath}`,
      )
      continue
    }
    const answer = await own.ask({ path: pathname.slice(basePath.length) + search, status: [200, ...own.denials] })
    const { self } = answer.document?.links ?? {}
    if (answer.status === 200 && self !== link)
      own.note(answer, `links.self is ${JSON.stringify(self)}, and ${link} leads here`)
  }
}
