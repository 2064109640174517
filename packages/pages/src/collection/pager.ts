import type { PageRequest } from '../data/page-request.ts'
import { type Content, html } from '../html/html.ts'
import { hrefOf } from '../html/links.ts'
import { frame } from '../texts/frame.ts'
import { table as words } from '../texts/reading.ts'
import type { Words } from '../texts/words.ts'

const pages = ['first', 'prev', 'next', 'last']

/** Which part of a collection it is, and the ways to the others. */
export function pageLinks({ server, document }: Pick<PageRequest, 'server' | 'document'>): Content {
  const leads = (name: string) => hrefOf(server, document.links?.[name])
  const links = pages.flatMap((name) => {
    // Where nothing comes before a page, it is the first itself.
    const isHere = (name === 'first' && !leads('prev')) || (name === 'last' && !leads('next'))
    const href = isHere ? null : leads(name)
    return href === null ? [] : [html`<a href="${href}" rel="${name}">${words.pages[name]}</a> `]
  })
  const range = rangeOf(document.meta?.page)
  if (links.length === 0 && range === null) return null
  return html`<nav class="pages" aria-label="${frame.pages}">${range && html`<span>${range}</span> `}${links}</nav>`
}

/** `16–30 of 60`, or of more than 10,000, where the page says so: how it is spelled is the application's choice. */
function rangeOf(meta: unknown): Words | null {
  if (typeof meta !== 'object' || meta === null) return null
  const { from, to, total, totalMoreThan } = meta as Readonly<Record<string, unknown>>
  if (typeof from !== 'number' || typeof to !== 'number') return null
  if (typeof totalMoreThan === 'number') return words.rangeOfMore(from, to, totalMoreThan)
  return words.range(from, to, typeof total === 'number' ? total : null)
}
