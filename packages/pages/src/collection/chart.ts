import { type Content, type Html, html } from '../html/html.ts'
import { values as valueWords, statistics as words } from '../texts/reading.ts'
import { numberTold, type Words } from '../texts/words.ts'

interface Mark {
  /** The value of the key, as documents have it. */
  readonly key: unknown
  readonly name: Words
  readonly value: number
}

interface Charted {
  readonly title: Words
  /** Are the keys parts of instants. */
  readonly isInTime: boolean
  readonly marks: readonly Mark[]
}

const width = 1000
const height = 200
const margin = 6
const mostMarks = 200
/** Of more groups, these have bars; the table has all. */
const mostBars = 20

/** In: figures of groups. Out: a picture of them, a line along time, else bars; null where there is nothing to draw. */
export function chart({ title, isInTime, marks: all }: Charted): Content {
  const marks = isInTime ? inTime(all) : all.slice(0, mostBars)
  const values = marks.map(({ value }) => value)
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)]
  if (marks.length === 0 || marks.length > mostMarks || !values.every(Number.isFinite) || low === high) return null
  return html`<figure class="chart"><figcaption>${title}</figcaption>
${isInTime ? plot(title, marks, { low, high }) : bars(title, marks, { low, high })}${marks.length < all.length && (isInTime ? withoutTime(all) : html`<p class="soft">${valueWords.more(all.length - marks.length)}</p>`)}</figure>`
}

function plot(title: Words, marks: readonly Mark[], { low, high }: Bounds): Html {
  const values = marks.map(({ value }) => value)
  const decimals = decimalsOf([high, (high + low) / 2, low])
  const place = placeOf(momentsOf(marks), { count: marks.length, low, high })
  const names = [marks[0] as Mark, marks.at(-1) as Mark]
  return html`<div class="plot"><div class="scale" aria-hidden="true">${[high, (high + low) / 2, low].map((value) => html`<span>${numberTold(value, decimals)}</span>`)}</div>
<svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-label="${words.asTable(title)}">
${[high, (high + low) / 2, 0].map((value) => html`<line class="axis" x1="0" x2="${width}" y1="${place.y(value)}" y2="${place.y(value)}"/>`)}
${line(values, place)}${marks.map(
  ({ name, value }, i) =>
    html`<g class="mark"><rect x="${round(place.x(i) - place.step / 2)}" y="0" width="${round(place.step)}" height="${height}"/><title>${name}: ${numberTold(value)}</title></g>`,
)}</svg>
<div class="keys" aria-hidden="true">${[...new Set(names)].map(({ name, value }) => html`<span>${name} <b>${numberTold(value)}</b></span>`)}</div></div>`
}

/** A bar for each group, from the line of zero; its name is before it, and its value behind it. */
function bars(title: Words, marks: readonly Mark[], { low, high }: Bounds): Html {
  const decimals = decimalsOf(marks.map(({ value }) => value))
  const at = (value: number) => round((100 * (value - low)) / (high - low))
  return html`<div class="bars" role="img" aria-label="${words.asTable(title)}">${marks.map(({ key, name, value }) => {
    const [start, end] = [at(Math.min(value, 0)), at(Math.max(value, 0))]
    const before = end > 0 ? round((100 * start) / end) : 0
    return html`<span class="name">${name}</span><span class="track"><svg width="${end}%" height="20"><title>${name}: ${numberTold(value, decimals)}</title><rect class="${key === null ? 'bar without' : 'bar'}" x="${before}%" width="${100 - before}%" height="20" rx="3"/></svg><b>${numberTold(value, decimals)}</b></span>`
  })}</div>`
}

/** So many decimals, at most two, have these numbers. */
export const decimalsOf = (values: readonly number[]): number =>
  [0, 1].find((most) => values.every((value) => Number(value.toFixed(most)) === value)) ?? 2

/** What has no time stands below the line. */
const withoutTime = (all: readonly Mark[]): Content =>
  html`<p class="soft">${all
    .filter(({ key }) => key === null)
    .map(({ name, value }) => html`${name}: <b>${numberTold(value)}</b>`)}</p>`

interface Place {
  readonly x: (i: number) => number
  readonly y: (value: number) => number
  readonly step: number
}

interface Bounds {
  readonly low: number
  readonly high: number
}

/** Marks are side by side, or where their moments are. */
function placeOf(moments: readonly number[] | null, { count, low, high }: Bounds & { readonly count: number }): Place {
  const y = (value: number) => round(margin + (height - 2 * margin) * (1 - (value - low) / (high - low)))
  const step = width / count
  const [first = 0, last = 0] = moments ? [moments[0], moments.at(-1)] : []
  if (!moments || first === last) return { x: (i) => step * (i + 0.5), y, step }
  const x = (i: number) => margin + ((width - 2 * margin) * ((moments[i] as number) - first)) / (last - first)
  return { x, y, step }
}

/** A line goes from left to right, whatever the groups are sorted by. What has no time is not on it. */
const inTime = (marks: readonly Mark[]): readonly Mark[] =>
  marks.filter(({ key }) => key !== null).toSorted((a, b) => (String(a.key) < String(b.key) ? -1 : 1))

function momentsOf(marks: readonly Mark[]): readonly number[] | null {
  const moments = marks.map(({ key }) => momentOf(String(key)))
  return moments.every(Number.isFinite) ? moments : null
}

const weekMilliseconds = 7 * 86_400_000

/** When a period begins: a year, a month, a day, or an ISO week, the first of which has the fourth of January. */
function momentOf(text: string): number {
  const [, year, week] = /^(\d+)-W(\d+)$/.exec(text) ?? []
  if (year === undefined) return Date.parse(text)
  const fourth = Date.parse(`${year}-01-04`)
  const monday = fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * 86_400_000
  return monday + (Number(week) - 1) * weekMilliseconds
}

const round = (value: number): number => Math.round(value * 10) / 10

// A dot is a line without length, whose ends are round whatever the shape of the picture.
const line = (values: readonly number[], { x, y }: Place): Content => [
  html`<polyline class="line" points="${values.map((value, i) => `${round(x(i))},${y(value)}`).join(' ')}"/>`,
  html`<path class="dots" d="${values.map((value, i) => `M${round(x(i))} ${y(value)}h0`).join('')}"/>`,
]
