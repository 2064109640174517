import { appendFileSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'

const file = path.resolve(import.meta.dirname, '../../fixtures/asked-urls.txt')
const record = process.env.RECORD_URLS === 'true'
const written = new Set<string>()
// Those that make up their URLs by the thousand; what they ask, `same-bytes.test.ts` asks in its own way.
const generative = /leak|hid(?:ing|den)|random|arbitrary|readers|any-url|pagination\/walk/

/** The URLs that the tests of the example read, as `RECORD_URLS=true npm test` has written them down. */
export const askedUrls = (): readonly string[] => [...new Set(readFileSync(file, 'utf8').split('\n').filter(Boolean))]

/** Adds an URL to the list, where it is being written: one for each shape. */
export function noteUrl(method: string, url: string): void {
  if (!record || method !== 'GET' || !/^\/api\/v[12]\//.test(url) || url.length > 300) return
  if (generative.test(expect.getState().testPath ?? '') || written.has(shapeOf(url))) return
  written.add(shapeOf(url))
  appendFileSync(file, `${url}\n`)
}

/** Its path without ids, and the names of its parameters; the values are those of the first one that comes. */
function shapeOf(url: string): string {
  const [path = '', query = ''] = url.split('?')
  const names = query.split('&').map((parameter) => parameter.split('=')[0])
  return [
    path.replaceAll(/\/[^/]*[\d%][^/]*(?=\/|$)/g, (part) => (/^\/v\d$/.test(part) ? part : '/:id')),
    ...names,
  ].join('&')
}
