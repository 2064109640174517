import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { madeOnce } from '../made-once.ts'
import { root } from './pages.ts'

interface Site {
  readonly folder: string
  /** What was said while it was built. */
  readonly said: string
  /** The HTML of its pages, by their paths: `adr/0001-one-arrow-of-imports.html`. */
  readonly pages: ReadonlyMap<string, string>
}

/**
 * The documentation as `npm run docs:build` makes it, made once for all test files.
 *
 * @throws {Error} with what was said, where it cannot be built; a link to a page that is not there is such a case.
 */
export async function buildSite(): Promise<Site> {
  const made = await madeOnce('site', {
    of: { files: sources() },
    make: async (folder) => {
      const command = path.join(root, 'docs/node_modules/vitepress/bin/vitepress.js')
      const args = [command, 'build', 'docs', '--outDir', path.join(folder, 'site')]
      const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd: root })
      writeFileSync(path.join(folder, 'said.txt'), stdout + stderr)
    },
  })
  const folder = path.join(made, 'site')
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'))
  return {
    folder,
    said: readFileSync(path.join(made, 'said.txt'), 'utf8'),
    pages: new Map(
      names.map((name) => [name.replaceAll(path.sep, '/'), readFileSync(path.join(folder, name), 'utf8')]),
    ),
  }
}

/** What the site is made of: the pages, and the docstrings of the source; not packages, and what the builder keeps. */
const sources = (): readonly string[] => [
  'package.json',
  'api',
  ...readdirSync(path.join(root, 'packages')).flatMap((name) => [
    `packages/${name}/package.json`,
    `packages/${name}/src`,
  ]),
  ...['docs', 'docs/.vitepress'].flatMap((folder) =>
    readdirSync(path.join(root, folder))
      .filter((name) => !['.vitepress', '.temp', 'node_modules', 'cache', 'dist'].includes(name))
      .map((name) => `${folder}/${name}`),
  ),
]

/** Links of pages, by their paths, that lead to no page or to no place of it: `a.html → b.html#c`. */
export function deadLinksOf(pages: ReadonlyMap<string, string>): readonly string[] {
  return [...pages].flatMap(([page, html]) => {
    const links = [...html.matchAll(/<a\b[^>]*? href="([^"]*)"/g)].map(([, href = '']) => href)
    return links.filter((href) => isInside(href) && !leadsSomewhere(page, href)).map((href) => `${page} → ${href}`)
  })

  function leadsSomewhere(page: string, href: string): boolean {
    const { pathname, hash } = new URL(href, `http://localhost/${page}`)
    const target = pages.get(pathname === '/' ? 'index.html' : decodeURIComponent(pathname.slice(1)))
    const id = decodeURIComponent(hash.slice(1))
    return target !== undefined && (id === '' || target.includes(` id="${id}"`))
  }
}

const isInside = (href: string): boolean => !/^[a-z]+:/.test(href)
