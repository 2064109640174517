import type { CompiledServer } from '@prismapi/core/server/compile'
import { say } from '@prismapi/jsonapi/document/text'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { isIdentifier, type ShownGroup } from '../data/page-data.ts'
import { nameOf, type Showing } from '../data/showing.ts'
import { type Content, type Html, html } from '../html/html.ts'
import { resourceHref } from '../html/links.ts'
import { valueHtml } from '../html/values.ts'
import { statistics as words } from '../texts/reading.ts'
import { capital, fieldWords, numberTold, type Words } from '../texts/words.ts'
import { chart } from './chart.ts'

/** The ways to the groups of a type, one for each key; of an instant, by month. */
export function groupLinks({ basePath }: CompiledServer, { type, statistics }: ResourceSchema): Content {
  if (!statistics || statistics.grouped.size === 0) return null
  const keys = [...statistics.grouped].map(([name, field]) =>
    'serialize' in field && field.kind === 'datetime' ? `${name}:month` : name,
  )
  return html`<p class="soft">${words.by}</p>${keys.map((key) => html`<a href="${basePath}/${type}/-stats?groupBy=${encodeURIComponent(key)}">${keyTitle(key)}</a>`)}`
}

interface Figure {
  readonly name: string
  readonly each: string
}

/** Groups as a table, with a chart of the first figure above it where they have one key. */
export function groupsHtml(showing: Showing, groups: readonly ShownGroup[]): Content {
  const [first] = groups
  if (!first) return html`<p class="none">${words.none}</p>`
  const keys = Object.keys(first.key)
  const figures = Object.entries(first.stats).flatMap(([name, stats]) =>
    Object.keys(stats).map((each): Figure => ({ name, each })),
  )
  return [chartOf(showing, groups, { keys, figures }), table(showing, groups, { keys, figures })]
}

interface Columns {
  readonly keys: readonly string[]
  readonly figures: readonly Figure[]
}

const figureTitle = ({ name, each }: Figure): Words => words.figure(each, name === '*' ? null : fieldWords(name))
const figureValue = ({ stats }: ShownGroup, { name, each }: Figure): unknown => stats[name]?.[each]

/** `publishedAt:month` → `published at (month)`. */
function keyTold(key: string): Words {
  const [field = '', part] = key.split(':')
  return part === undefined ? fieldWords(field) : say`${fieldWords(field)} (${words.parts[part] ?? part})`
}

const keyTitle = (key: string): Words => capital(keyTold(key))

function table(showing: Showing, groups: readonly ShownGroup[], { keys, figures }: Columns): Html {
  return html`<div class="scroll" role="region" aria-label="${words.groups}" tabindex="0"><table class="rows">
<thead><tr>${keys.map((key) => html`<th scope="col">${keyTitle(key)}</th>`)}${figures.map((figure) => html`<th scope="col" class="n">${figureTitle(figure)}</th>`)}</tr></thead>
<tbody>${groups.map(
    (
      group,
    ) => html`<tr>${keys.map((key) => html`<td data-label="${keyTitle(key)}">${shownKey(showing, group.key[key])}</td>`)}
${figures.map((figure) => html`<td class="n" data-label="${figureTitle(figure)}">${figureHtml(figureValue(group, figure))}</td>`)}</tr>`,
  )}</tbody></table></div>`
}

const figureHtml = (value: unknown): Content => (typeof value === 'number' ? numberTold(value) : valueHtml(value))

const shownKey = (showing: Showing, value: unknown): Content =>
  isIdentifier(value)
    ? html`<a href="${resourceHref(showing.server, value)}">${nameOf(showing, value)}</a>`
    : valueHtml(value, null, { isCell: true })

/** The table below the chart says the same to readers who do not see it. */
function chartOf(showing: Showing, groups: readonly ShownGroup[], { keys, figures }: Columns): Content {
  const [figure] = figures
  const [key] = keys
  if (!figure || key === undefined || keys.length > 1) return null
  const marks = groups.flatMap((group) => {
    const value = figureValue(group, figure)
    return value === null ? [] : [{ key: group.key[key], name: keyName(showing, group.key[key]), value: Number(value) }]
  })
  return chart({ title: words.chart(figureTitle(figure), keyTold(key)), isInTime: key.includes(':'), marks })
}

function keyName(showing: Showing, value: unknown): Words {
  if (isIdentifier(value)) return nameOf(showing, value)
  if (typeof value === 'boolean') return value ? words.yes : words.no
  return value === null ? words.noKey : String(value)
}
