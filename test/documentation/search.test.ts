import { readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { searchOf } from '../support/documentation/search.ts'
import { buildSite } from '../support/documentation/site.ts'

let folder: string
let search: Awaited<ReturnType<typeof searchOf>>
beforeAll(async () => {
  folder = (await buildSite()).folder
  search = await searchOf(folder)
})

test.each([
  ['login', 'cookbook/own-auth.html'],
  ['admin', 'browsing.html'],
  ['bulk edit', 'browsing.html'],
  ['cron', 'cookbook/nightly-job.html'],
  ['webhook', 'cookbook/webhooks.html'],
  ['upload', 'cookbook/file-upload.html'],
  ['tenant', 'cookbook/multi-tenancy.html'],
  ['money', 'cookbook/money.html'],
  ['date', 'inference.html'],
  ['403', 'errors.html'],
  ['N+1', 'queries.html'],
  ['transactions', 'outside-http.html'],
  ['rename a field', 'schemas.html'],
  ['Docker', 'deployment.html'],
  ['testing', 'testing.html'],
  ['React', 'clients.html'],
  ['types', 'clients.html'],
  ['CORS', 'deployment.html'],
  ['rate limit', 'deployment.html'],
  ['soft delete', 'cookbook/soft-delete.html'],
  ['why 403', 'why.html'],
  ['permission denied', 'why.html'],
  ['not allowed', 'why.html'],
  ['404', 'why.html'],
  ['memberships', 'cookbook/memberships.html'],
])('who searches for "%s" finds %s among the first three', (query, page) => {
  expect(search(query).slice(0, 3)).toContain(page)
})

test('the first page takes at most 300 kB, with all that it loads', () => {
  const html = readFileSync(path.join(folder, 'index.html'), 'utf8')
  const files = [...html.matchAll(/(?:src|href)="\/([^"]+\.(?:js|css|png|svg|webp))"/g)].map(([, file = '']) => file)
  expect(files.length).toBeGreaterThan(4)
  // As a server sends them: text is compressed, pictures are already.
  const sizes = ['index.html', ...new Set(files)].map((file) => {
    const bytes = readFileSync(path.join(folder, file))
    return /\.(png|webp)$/.test(file) ? bytes.length : gzipSync(bytes).length
  })
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(300_000)
})

test('llms.txt names every page of the site', () => {
  const text = readFileSync(path.join(folder, 'llms.txt'), 'utf8')
  expect(text).toMatch(/^# prismapi\n\n> .+\n\n## Start\n\n- \[/)
  for (const page of ['start', 'authorization', 'errors', 'cookbook/money', 'api/prismapi', 'adr/0007-query-parser'])
    expect(text).toContain(`(/${page}.html)`)
})
