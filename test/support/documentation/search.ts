import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './pages.ts'

interface Found {
  readonly id: string
}

/** What VitePress searches with, in its own copy. */
interface MiniSearch {
  loadJSON(index: string, options: object): { search(query: string): readonly Found[] }
}

// As its search box has them: `VPLocalSearchBox.vue`.
const options = {
  fields: ['title', 'titles', 'text'],
  storeFields: ['title', 'titles'],
  searchOptions: { fuzzy: 0.2, prefix: true, boost: { title: 4, text: 2, titles: 1 } },
}

/** The search of a built site: the pages that are found for a text, best first, each once. */
export async function searchOf(folder: string): Promise<(query: string) => readonly string[]> {
  const chunks = path.join(folder, 'assets/chunks')
  const name = readdirSync(chunks).find((each) => each.startsWith('@localSearchIndex')) ?? ''
  const { default: index } = (await import(pathToFileURL(path.join(chunks, name)).href)) as { readonly default: string }
  const engine = createRequire(path.join(root, 'docs/package.json'))('minisearch') as MiniSearch
  const search = engine.loadJSON(index, options)
  return (query) => [...new Set(search.search(query).map(({ id }) => id.replace(/#.*$/, '').replace(/^\//, '')))]
}
