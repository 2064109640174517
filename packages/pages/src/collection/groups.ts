import type { CompiledServer } from '@prismapi/core/server/compile'
import { say } from '@prismapi/jsonapi/document/text'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { isIdentifier, type ShownGroup } from '../data/page-data.ts'
import { nameOf, type Showing } from '../data/showing.ts'
import { type Content, type Html, html } from '../html/html.ts'
import { resourceHref } from '../html/links.ts'
import { valueHtml } from '../html/values.ts'
import { statistics as words } from '../texts/reading.ts'
import { capital, fieldWords, numberTold, titleOf, type Words } from '../texts/words.ts'
import { chart, decimalsOf } from './chart.ts'

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
  /** At the head of its column. */
  readonly title: Words
  /** Above the chart, before its key. */
  readonly charted: Words
}

/** Groups of a type as a table, with a chart of the first figure above it where they have one key. */
export function groupsHtml(showing: Showing, schema: ResourceSchema, all: readonly ShownGroup[]): Content {
  const [first] = all
  if (!first) return html`<p class="none">${words.none}</p>`
  const keys = Object.keys(first.key)
  const figures = Object.entries(first.stats).flatMap(([name, stats]) =>
    Object.keys(stats).map((each): Figure => {
      const { type, attributes } = schema
      if (name === '*') return { name, each, title: words.number(fieldWords(type)), charted: titleOf(type) }
      const charted = words.figure(each, fieldWords(name))
      const isOfSome = each === 'avg' && !('count' in stats) && attributes.get(name)?.isNullable
      return { name, each, title: isOfSome ? words.ofSome(charted) : charted, charted }
    }),
  )
  const isEmpty = ({ key }: ShownGroup) => Object.values(key).every((value) => value === null)
  const groups = all.toSorted((a, b) => Number(isEmpty(a)) - Number(isEmpty(b)))
  return [chartOf(showing, groups, { keys, figures }), table(showing, groups, { keys, figures })]
}

interface Columns {
  readonly keys: readonly string[]
  readonly figures: readonly Figure[]
}

const figureValue = ({ stats }: ShownGroup, { name, each }: Figure): unknown => stats[name]?.[each]

/** `publishedAt:month` → `published at (month)`. */
function keyTold(key: string): Words {
  const [field = '', part] = key.split(':')
  return part === undefined ? fieldWords(field) : say`${fieldWords(field)} (${words.parts[part] ?? part})`
}

const withoutKey = (key: string): Words => words.without(fieldWords(key.split(':')[0] ?? ''))

const keyTitle = (key: string): Words => capital(keyTold(key))

function table(showing: Showing, groups: readonly ShownGroup[], { keys, figures }: Columns): Html {
  const cells = figures.map((figure) => {
    const values = groups.map((group) => figureValue(group, figure))
    const decimals = decimalsOf(values.filter((value) => typeof value === 'number'))
    return ({ title }: Figure, value: unknown) =>
      html`<td class="n" data-label="${title}">${typeof value === 'number' ? numberTold(value, decimals) : valueHtml(value)}</td>`
  })
  return html`<div class="scroll" role="region" aria-label="${words.groups}" tabindex="0"><table class="rows">
<thead><tr>${keys.map((key) => html`<th scope="col">${keyTitle(key)}</th>`)}${figures.map(({ title }) => html`<th scope="col" class="n">${title}</th>`)}</tr></thead>
<tbody>${groups.map(
    (
      group,
    ) => html`<tr>${keys.map((key) => html`<td data-label="${keyTitle(key)}">${shownKey(showing, key, group.key[key])}</td>`)}
${figures.map((figure, i) => cells[i]?.(figure, figureValue(group, figure)))}</tr>`,
  )}</tbody></table></div>`
}

function shownKey(showing: Showing, key: string, value: unknown): Content {
  if (value === null) return withoutKey(key)
  return isIdentifier(value)
    ? html`<a href="${resourceHref(showing.server, value)}">${nameOf(showing, value)}</a>`
    : valueHtml(value, null, { isCell: true })
}

/** The table below the chart says the same to readers who do not see it. */
function chartOf(showing: Showing, groups: readonly ShownGroup[], { keys, figures }: Columns): Content {
  const [figure] = figures
  const [key] = keys
  if (!figure || key === undefined || keys.length > 1) return null
  const marks = groups.flatMap((group) => {
    const value = figureValue(group, figure)
    return value === null
      ? []
      : [{ key: group.key[key], name: keyName(showing, key, group.key[key]), value: Number(value) }]
  })
  return chart({ title: words.chart(figure.charted, keyTitle(key)), isInTime: key.includes(':'), marks })
}

function keyName(showing: Showing, key: string, value: unknown): Words {
  if (isIdentifier(value)) return nameOf(showing, value)
  if (typeof value === 'boolean') return value ? words.yes : words.no
  return value === null ? withoutKey(key) : String(value)
}
