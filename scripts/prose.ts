import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { countsOf, faultsOf, kindOf } from './prose/counts.ts'

// Prints how each page of the documentation is written, in 1,000 words: `npm run prose`, or `npm run prose -- queries`.
const docs = path.resolve(import.meta.dirname, '../docs')
const asked = process.argv.slice(2)
const pages = readdirSync(docs, { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll(path.sep, '/'))
  .filter((name) => name.endsWith('.md') && !/node_modules|\.vitepress/.test(name))
  .map((name) => name.slice(0, -'.md'.length))
  .filter((page) => asked.length === 0 || asked.includes(page))
  .sort()

for (const page of pages) {
  const kind = kindOf(page)
  if (kind === null) continue
  const text = readFileSync(path.join(docs, `${page}.md`), 'utf8')
  const { words, ...counts } = countsOf(text)
  const rates = Object.entries(counts).map(([name, n]) => `${name} ${((1000 * n) / words).toFixed(1)}`)
  console.log(`${page} (${kind}, ${words} words): ${rates.join(', ')}`)
  if (asked.length > 0) for (const fault of faultsOf(text, kind)) console.log(`  ${fault}`)
}
