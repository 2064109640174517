import { entries } from '../.vitepress/api/entries.ts'
import { referenceOf } from '../.vitepress/api/reference.ts'

/** A page for each entry of the package: what it exports, and what the docstrings say of it. */
export default {
  paths: () => entries.map((entry) => ({ params: { entry: entry.page }, content: referenceOf(entry) })),
}
