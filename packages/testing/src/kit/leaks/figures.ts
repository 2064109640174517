import { eachOf } from '../each-of.ts'
import { isObject } from '../judges/judged.ts'
import type { ReadWorld } from './hidden-world.ts'
import { documentOf, listedAt, resourcesFrom, withLargestPage } from './pages.ts'
import { figureUrls, groupedUrls } from './stats-urls.ts'
import { countedUrls } from './totals.ts'
import type { Get, Leak } from './walk.ts'
import { schemasOf } from './world.ts'

// If figures count hidden rows, they differ from those that a client computes of all pages: one database shows that.

/** Holds the figures of each collection, and the sizes of its groups, against the resources on its pages. */
export async function compareFigures({ world, near }: ReadWorld, get: Get): Promise<readonly Leak[]> {
  const leaks: Leak[] = []
  const read = async (url: string) => {
    const { status, text } = await get(world.server.basePath + url)
    return status === 200 ? documentOf(text).meta : undefined
  }
  const listed = async (url: string) =>
    resourcesFrom(await get(world.server.basePath + withLargestPage(world, url)), get)
  await eachOf(countedUrls({ world, near }), async (url) => {
    const schema = listedAt(world, url)
    const urls = schema ? figureUrls(schema, url) : []
    const resources = urls.length === 0 ? null : await listed(url)
    if (resources === null) return
    for (const each of urls)
      leaks.push(...figureFaults(await read(each), resources).map((what) => ({ url: each, what })))
  })
  await eachOf(schemasOf(world), async (schema) => {
    const urls = groupedUrls(schema)
    const resources = urls.length === 0 ? null : await listed(`/${schema.type}`)
    if (resources === null) return
    for (const url of urls) {
      const fault = groupFault(await read(`${url}&page[size]=1000`), resources.length)
      if (fault !== null) leaks.push({ url, what: fault })
    }
  })
  return leaks
}

function figureFaults(meta: unknown, resources: readonly unknown[]): readonly string[] {
  if (!isObject(meta) || !isObject(meta.stats)) return []
  return Object.entries(meta.stats).flatMap(([name, figures]) => {
    const values = name === '*' ? resources : resources.flatMap((each) => attributeOf(each, name) ?? [])
    return Object.entries(isObject(figures) ? figures : {}).flatMap(([figure, told]) => {
      const reckoned = reckon(figure, values)
      if (reckoned === undefined || isSame(told, reckoned)) return []
      return [`${figure} of ${name} is ${told}, and of the resources on its pages ${reckoned}`]
    })
  })
}

function attributeOf(resource: unknown, name: string): unknown {
  const attributes = isObject(resource) ? resource.attributes : undefined
  return isObject(attributes) ? attributes[name] : undefined
}

/** What the figure has to be; undefined where values are shown as something that cannot be reckoned with. */
function reckon(figure: string, values: readonly unknown[]): number | null | undefined {
  if (figure === 'count') return values.length
  if (values.length === 0) return null
  const numbers = values.map(toNumber)
  if (numbers.some(Number.isNaN)) return undefined
  const sum = numbers.reduce((total, each) => total + each, 0)
  if (figure === 'sum') return sum
  if (figure === 'avg') return sum / numbers.length
  return numbers.reduce((a, b) => ((figure === 'min') === a < b ? a : b))
}

/** Of an instant, its milliseconds; large integers and decimals are texts. */
function toNumber(value: unknown): number {
  const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value)
  return Number.isNaN(number) ? Date.parse(String(value)) : number
}

/** As far as a sum of floats can be told from another one. */
function isSame(told: unknown, reckoned: number | null): boolean {
  if (told === null || reckoned === null) return told === reckoned
  return Math.abs(toNumber(told) - reckoned) <= 1e-9 * Math.max(1, Math.abs(reckoned))
}

/** Small groups may be left out, so that there may be fewer rows, and never more. */
function groupFault(meta: unknown, rows: number): string | null {
  if (!isObject(meta) || !Array.isArray(meta.groups)) return null
  const sum = meta.groups.reduce((total, { stats }) => total + stats['*'].count, 0)
  return sum > rows ? `its groups have ${sum} rows, and its pages ${rows} resources` : null
}
