import { readdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { root } from '../support/documentation/pages.ts'
import { buildSite, deadLinksOf } from '../support/documentation/site.ts'

let site: Awaited<ReturnType<typeof buildSite>>
beforeAll(async () => {
  site = await buildSite()
})

const files = (folder: string): readonly string[] =>
  readdirSync(path.join(site.folder, folder), { recursive: true, encoding: 'utf8' })

const textsOf = (kind: RegExp) =>
  files('.')
    .filter((name) => kind.test(name))
    .map((name) => ({ name, text: readFileSync(path.join(site.folder, name), 'utf8') }))

test('it is built without a warning', () => {
  expect(site.said).toContain('build complete')
  expect(site.said).not.toMatch(/warn|not loaded|error/i)
})

test('every page stands in the sidebar of every page, once', () => {
  const own = [...site.pages.keys()].filter((page) => page !== 'index.html' && page !== '404.html').sort()
  for (const page of own) {
    const [, sidebar = ''] = /<aside class="VPSidebar"(.*?)<\/aside>/s.exec(site.pages.get(page) ?? '') ?? []
    const links = [...sidebar.matchAll(/ href="\/([^"]+)"/g)].map(([, link]) => link)
    expect({ page, links: links.sort() }).toEqual({ page, links: own })
  }
})

test('no link of it is dead', () => {
  expect(deadLinksOf(site.pages)).toEqual([])
})

test('a dead link would be found out', () => {
  const pages = new Map([
    [
      'index.html',
      '<a href="/a/b.html">b</a> <a class="x" href="/a/c.html">c</a> <a href="https://example.com/">x</a>',
    ],
    [
      'a/b.html',
      '<h2 id="one">One</h2><a href="#one">1</a><a href="#two">2</a><a href="../#no">up</a><a href="./">?</a>',
    ],
  ])
  expect(deadLinksOf(pages)).toEqual([
    'index.html → /a/c.html',
    'a/b.html → #two',
    'a/b.html → ../#no',
    'a/b.html → ./',
  ])
})

test('who searches for "cursor" is led to the cursors of the pages', async () => {
  const [chunk] = files('assets/chunks').filter((name) => name.startsWith('@localSearchIndex'))
  const { default: text } = await import(pathToFileURL(path.join(site.folder, 'assets/chunks', chunk ?? '')).href)
  const { index, documentIds } = JSON.parse(text)
  const [, fields] = index.find(([term]: [string]) => term === 'cursor')
  const found = Object.values(fields as Record<string, object>).flatMap(Object.keys)
  const places = found.map((id) => documentIds[id])
  expect(places).toContain('/pagination.html#use-cursors')
  expect(places).toContain('/adr/0008-sealed-cursors.html#decision')
})

test('nothing of it is asked of another host', () => {
  const tag = /<(?:link|script|img|iframe)\b[^>]*? (?:href|src)="(?:\w+:)?\/\/[^"]*"|url\(["']?https?:[^)]*\)/g
  const asked = textsOf(/\.(html|css)$/).flatMap(({ name, text }) =>
    [...text.matchAll(tag)].map(([each]) => `${name}: ${each}`),
  )
  expect(asked).toEqual([])
})

test('it tells nothing of the machine that it was built on', () => {
  const folders = [root, homedir()].map((folder) => `${folder}/`)
  const told = textsOf(/\.(html|css|js|json)$/).filter(({ text }) => folders.some((folder) => text.includes(folder)))
  expect(told.map(({ name }) => name)).toEqual([])
})
