import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

export const root = path.resolve(import.meta.dirname, '../../..')

/** Of a page, or any other file, by its path in the repository. */
export const read = (file: string): string => readFileSync(path.join(root, file), 'utf8')

const docs = readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  .map((name) => `docs/${name.replaceAll(path.sep, '/')}`)
  .filter((name) => name.endsWith('.md') && !/^docs\/(\.vitepress|node_modules)\//.test(name))
  .sort()

/** Every page of the documentation, by its path in the repository. */
export const pages: readonly string[] = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', ...docs]
