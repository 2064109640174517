import type { Interview } from './interview.ts'

const type = 'application/vnd.api+json'
const unknown = 'https://example.com/unknown'

/** A collection that can be read, by media types that are right and wrong (JSON:API, *Content Negotiation*). */
export async function askNegotiation(own: Interview, path: string): Promise<void> {
  const foreign = [
    `${type};charset=utf-8`,
    `${type};foo="a, ${type}"`,
    `${type};a=1, ${type};b=2`,
    `${type};ext="${unknown}"`,
  ]
  for (const Accept of [...foreign, 'text/plain']) await own.ask({ path, headers: { Accept }, status: [406] })
  const weighted = [`${type};q=0.9`, `text/plain;q=0.9, ${type};q=0.1`, `${type};charset=utf-8, ${type}`]
  for (const Accept of [...weighted, '*/*', 'application/*', type.toUpperCase()])
    await own.ask({ path, headers: { Accept }, status: [200], primary: 'resources' })
}

/** Methods that an address does not have are 405, and `Allow` names those that it has. */
export async function askMethods(own: Interview, path: string): Promise<void> {
  for (const method of ['PUT', 'PATCH', 'DELETE']) {
    const answer = await own.ask({ method, path, status: [405] })
    const allow = (answer.headers.get('allow') ?? '').split(/\s*,\s*/)
    if (answer.status !== 405) continue
    if (!allow.includes('GET')) own.note(answer, `Allow does not name GET: ${allow.join(', ')}`)
    if (allow.includes(method)) own.note(answer, `Allow names ${method}`)
  }
  const options = await own.ask({ method: 'OPTIONS', path, status: [200, 204] })
  if (!/\bGET\b/.test(options.headers.get('allow') ?? '')) own.note(options, 'Allow does not name GET')
}

/** What is beside the types is 404. */
export async function askNowhere(own: Interview): Promise<void> {
  for (const path of ['/no-such-type', '/no-such-type/1', '/no-such-type/1/relationships/x'])
    await own.ask({ path, status: [404, ...own.denials] })
}
