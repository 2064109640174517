import type { Identifier } from '../document/types.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'
import type { CompiledServer } from '../server/compile.ts'
import { type Content, type Html, html } from './html.ts'
import { identified, shownValue } from './values.ts'

/** The ways to the groups of a type, one for each key; of an instant, by month. */
export function groupLinks({ basePath }: CompiledServer, { type, statistics }: ResourceSchema): Content {
  if (!statistics || statistics.grouped.size === 0) return null
  const keys = [...statistics.grouped].map(([name, field]) =>
    'serialize' in field && field.kind === 'datetime' ? `${name}:month` : name,
  )
  return html`<p>Statistics by ${keys.map((key) => html`<a href="${basePath}/${type}/-stats?groupBy=${encodeURIComponent(key)}">${key}</a> `)}</p>`
}

/** A group, as a document of statistics has it. */
export interface ShownGroup {
  readonly key: Readonly<Record<string, unknown>>
  readonly stats: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

interface Figure {
  readonly name: string
  readonly each: string
}

/** Groups as a table, with a chart of the first figure above it: a line along an instant, else bars. */
export function groupsShown(server: CompiledServer, groups: readonly ShownGroup[]): Content {
  const [first] = groups
  if (!first) return html`<p class="none">There are no groups.</p>`
  const keys = Object.keys(first.key)
  const figures = Object.entries(first.stats).flatMap(([name, stats]) =>
    Object.keys(stats).map((each): Figure => ({ name, each })),
  )
  return [chart(groups, keys, figures), table(server, groups, { keys, figures })]
}

interface Columns {
  readonly keys: readonly string[]
  readonly figures: readonly Figure[]
}

const titleOf = ({ name, each }: Figure): string => (name === '*' ? each : `${each} of ${name}`)
const figureValue = ({ stats }: ShownGroup, { name, each }: Figure): unknown => stats[name]?.[each]

function table(server: CompiledServer, groups: readonly ShownGroup[], { keys, figures }: Columns): Html {
  return html`<div class="scroll" role="region" aria-label="groups" tabindex="0"><table>
<thead><tr>${[...keys, ...figures.map(titleOf)].map((title) => html`<th scope="col">${title}</th>`)}</tr></thead>
<tbody>${groups.map(
    (group) => html`<tr>${keys.map((key) => html`<td>${shownKey(server, group.key[key])}</td>`)}
${figures.map((figure) => html`<td class="number">${shownValue(figureValue(group, figure))}</td>`)}</tr>`,
  )}</tbody></table></div>`
}

const isIdentifier = (value: unknown): value is Identifier =>
  typeof value === 'object' && value !== null && 'type' in value && 'id' in value

const shownKey = (server: CompiledServer, value: unknown): Content =>
  isIdentifier(value) ? identified(server, value) : shownValue(value, { isShort: true })

const width = 640
const height = 200
const margin = 4
const mostMarks = 200

/** A picture of a group by one key; the table below it says the same to readers who do not see it. */
function chart(groups: readonly ShownGroup[], keys: readonly string[], figures: readonly Figure[]): Content {
  const [figure] = figures
  const [key] = keys
  if (!figure || key === undefined || keys.length > 1 || groups.length > mostMarks) return null
  const values = groups.map((group) => Number(figureValue(group, figure) ?? 0))
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)]
  if (!values.every(Number.isFinite) || low === high) return null
  const place: Place = {
    x: (i) => margin + ((width - 2 * margin) * (i + 0.5)) / values.length,
    y: (value) => margin + (height - 2 * margin) * (1 - (value - low) / (high - low)),
  }
  const names = groups.map((group) => nameOf(group.key[key]))
  const marks = key.includes(':') ? line(values, place) : bars(values, place)
  return html`<figure class="chart"><figcaption>${titleOf(figure)} by ${key}</figcaption>
<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${titleOf(figure)} by ${key}; the table has the same figures">
<line class="axis" x1="0" x2="${width}" y1="${place.y(0)}" y2="${place.y(0)}"/>
${marks}${values.map(
  (value, i) =>
    html`<g class="mark"><rect x="${round(place.x(i) - step(values) / 2)}" y="0" width="${round(step(values))}" height="${height}"/><title>${names[i]}: ${value}</title></g>`,
)}</svg></figure>`
}

interface Place {
  readonly x: (i: number) => number
  readonly y: (value: number) => number
}

const step = (values: readonly number[]): number => (width - 2 * margin) / values.length
const round = (value: number): number => Math.round(value * 10) / 10

function bars(values: readonly number[], { x, y }: Place): Content {
  const wide = step(values) * 0.8
  return values.map((value, i) => {
    const top = Math.min(y(value), y(0))
    return html`<rect class="bar" x="${round(x(i) - wide / 2)}" y="${round(top)}" width="${round(wide)}" height="${round(Math.abs(y(value) - y(0)))}"/>`
  })
}

const line = (values: readonly number[], { x, y }: Place): Content =>
  html`<polyline class="line" points="${values.map((value, i) => `${round(x(i))},${round(y(value))}`).join(' ')}"/>`

const nameOf = (value: unknown): string =>
  isIdentifier(value) ? `${value.type} ${value.id}` : value === null ? 'null' : String(value)
