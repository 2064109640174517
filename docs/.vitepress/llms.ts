import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type Group, sidebar } from './sidebar.ts'

const docs = path.resolve(import.meta.dirname, '..')

/** Writes `llms.txt`: a line for each page, for programs that read the documentation. */
export function writeLlms(folder: string, about: string): void {
  writeFileSync(path.join(folder, 'llms.txt'), llmsOf(about))
}

/** https://llmstxt.org: a title, a summary, and lists of links. */
const llmsOf = (about: string): string =>
  [`# prismapi`, `> ${about}`, ...sidebar.map((door) => `## ${door.text}\n\n${linesOf(door).join('\n')}`)]
    .join('\n\n')
    .concat('\n')

const linesOf = (group: Group): readonly string[] =>
  group.items.flatMap((item) =>
    'items' in item ? linesOf(item) : [`- [${item.text}](${item.link}.html)${summaryOf(item.link)}`],
  )

/** The first sentence of a page. Pages of exports are made later, and have none. */
function summaryOf(link: string): string {
  if (link.startsWith('/api/')) return ': every export, with its docstring, example and source'
  const text = readFileSync(path.join(docs, `${link.slice(1)}.md`), 'utf8')
  const [, paragraph = ''] = /^# .+\n\n([A-Z`*[][\s\S]*?)\n\n/m.exec(text) ?? []
  const [sentence = ''] = paragraph.replaceAll(/\n/g, ' ').split(/(?<=[.:])\s/)
  return sentence === '' ? '' : `: ${sentence.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')}`
}
