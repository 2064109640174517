import { parseHTML } from 'linkedom'
import { createElement, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { useApi, users } from '../support/api.ts'
import { useLive } from './live/use-live.ts'

// The recipe of docs/live.md, as React runs it in a page.

const api = useApi()
const { window, document } = parseHTML('<html><body></body></html>')
const asked: AbortSignal[] = []
beforeAll(() => {
  const { fetch } = globalThis
  vi.stubGlobal('window', window)
  vi.stubGlobal('document', document)
  vi.stubGlobal('fetch', (url: string, init: { signal: AbortSignal }) => {
    asked.push(init.signal)
    return fetch(url, init)
  })
})
afterAll(async () => {
  // React looks at the window once more.
  for (let i = 0; i < 3; i++) await new Promise(setImmediate)
  vi.unstubAllGlobals()
})

test('a component shows what a collection has now, until it leaves the page', async () => {
  const token = (await api.authorization(users.admin)).replace('Bearer ', '')
  const Tags = () => {
    const tags = useLive(api.url('/api/v2/tags'), token)
    return createElement(
      'ul',
      null,
      ...tags.map(({ id, attributes: { name } }) => createElement('li', { key: id }, name)),
    )
  }
  const page = document.body
  const root = createRoot(page)
  const names = () => [...page.querySelectorAll('li')].map(({ textContent }) => textContent)
  // In strict mode, React runs each effect twice, and cleans up between.
  root.render(createElement(StrictMode, null, createElement(Tags)))
  await expect.poll(names).toContain('tag-2')
  const { id } = await api.make.tag.create({ name: 'Comes' })
  await expect.poll(names).toContain('Comes')
  await api.db.tag.update({ where: { id }, data: { name: 'Changes' } })
  await expect.poll(names).toContain('Changes')
  await api.db.tag.delete({ where: { id } })
  await expect.poll(names).not.toContain('Changes')
  const all = await api.db.tag.findMany()
  expect(names().toSorted()).toEqual(all.map(({ name }) => name).toSorted())
  root.unmount()
  await expect.poll(() => asked.map(({ aborted }) => aborted)).toEqual([true, true])
})
