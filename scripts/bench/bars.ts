interface Bars {
  readonly title: string
  /** What follows a number. */
  readonly unit: string
  readonly groups: readonly Group[]
}

interface Group {
  readonly name: string
  readonly bars: readonly { readonly name: string; readonly value: number }[]
}

const width = 760
const labels = 210
const numbers = 80
const bar = 14
const gap = 14
const top = 64

/** A picture of horizontal bars, group by group, in the colours of the reader's theme. */
export function barsOf({ title, unit, groups }: Bars): string {
  const names = groups[0]?.bars.map(({ name }) => name) ?? []
  const most = Math.max(...groups.flatMap(({ bars }) => bars.map(({ value }) => value)))
  const scale = (width - labels - numbers) / most
  const step = names.length * bar + gap
  const drawn = groups.map((group, index) => drawGroup(group, { y: top + index * step, scale, unit }))
  const height = top + groups.length * step
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title">
<title id="title">${escaped(title)}</title>
<style>${style}</style>
<rect class="paper" width="${width}" height="${height}"/>
<text class="title" x="12" y="24">${escaped(title)}</text>
${names.map(drawLegend).join('\n')}
${drawn.join('\n')}
</svg>
`
}

const drawLegend = (name: string, index: number): string =>
  `<rect class="bar-${index}" x="${labels + index * 110}" y="36" width="12" height="12"/><text x="${labels + index * 110 + 18}" y="46">${escaped(name)}</text>`

function drawGroup(
  { name, bars }: Group,
  { y, scale, unit }: { readonly y: number; readonly scale: number; readonly unit: string },
): string {
  const label = `<text class="name" x="${labels - 10}" y="${y + (bars.length * bar) / 2 + 4}">${escaped(name)}</text>`
  const lines = bars.map(({ value }, index) => {
    const length = Math.max(1, value * scale)
    const at = y + index * bar
    return `<rect class="bar-${index}" x="${labels}" y="${at}" width="${length.toFixed(1)}" height="${bar - 2}"/><text x="${(labels + length + 6).toFixed(1)}" y="${at + 10}">${shown(value)}${unit}</text>`
  })
  return [label, ...lines].join('\n')
}

const shown = (value: number): string => (value >= 100 ? String(Math.round(value)) : value.toFixed(2))

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const style = `
text { font: 12px system-ui, sans-serif; fill: #1f2328 }
.title { font-size: 15px; font-weight: 600 }
.name { text-anchor: end }
.paper { fill: #ffffff }
.bar-0 { fill: #0b66c3 }
.bar-1 { fill: #8c959f }
.bar-2 { fill: #c9d1d9 }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 }
.paper { fill: #0d1117 }
.bar-0 { fill: #58a6ff }
.bar-1 { fill: #6e7681 }
.bar-2 { fill: #30363d }
}`
