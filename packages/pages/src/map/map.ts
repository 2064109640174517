import { type ResourceSchema, type SchemaRegistry, targetSchemas } from '@prismapi/jsonapi/schema/resource-schema'
import { pagesOf } from '../compile-pages.ts'
import { purse } from '../data/count-listed.ts'
import type { Caller, VisibleApi } from '../data/page-request.ts'
import { declaredGroups, lettered, typeTitle } from '../frame/type-groups.ts'
import { type Content, type Html, html, withCode } from '../html/html.ts'
import { map as words } from '../texts/reading.ts'
import { eitherOf, plainName, titleOf, type Words } from '../texts/words.ts'
import { readCounts } from './counts.ts'
import { firstRun, withoutTables } from './first-run.ts'
import { boxHeight, boxWidth, type MapBox, type MapLayout, mapLayout, type Road } from './map-layout.ts'
import { mostPoints } from './most-points.ts'
import { recentlyChanged } from './recent.ts'

/** What the start page tells beside the types. */
export interface Told {
  /** How many resources there are, by type, where that is told. */
  readonly counts: ReadonlyMap<string, Words>
  /** What changed last. */
  readonly recent: Content
}

/** Are there so many types that they are found by their names. */
const isLarge = ({ byType }: SchemaRegistry): boolean => byType.size > mostDrawn

/**
 * The start page of a server: the types that the caller may know, what changed last, and how the types are related, as
 * a diagram and as a list. Many types are a list with a search and with groups.
 */
export function resourceMap(api: VisibleApi, { counts, recent }: Told): Html {
  const { schemas, basePath, audience } = api
  const hrefOf = ({ type }: ResourceSchema) => (audience.has(`${type}.viewAny`) ? `${basePath}/${type}` : null)
  const isShort = isLarge(schemas)
  const declared = declaredGroups(schemas, pagesOf(api).look)
  const groups = declared ?? (isShort ? lettered(schemas) : null)
  const list = (some: Iterable<ResourceSchema>, level: 2 | 3) =>
    html`<div class="types">${[...some].map((schema) => described(schema, { href: hrefOf(schema), level, count: counts.get(schema.type) ?? null }))}</div>`
  const types = groups
    ? groups.map(
        ({ title, schemas: own }, i) =>
          html`<section class="group${declared ? '' : ' letter'}" aria-labelledby="${idOf(i)}"><h2 id="${idOf(i)}">${title}</h2>${list(own, 3)}</section>`,
      )
    : list(schemas.byType.values(), 2)
  return html`<div class="map${recent && ' columns'}"><div>${isShort && finder()}${types}${!isShort && related(schemas, hrefOf)}</div>${recent}</div>`
}

/** How the types are related, for who opens it. */
const related = (schemas: SchemaRegistry, hrefOf: HrefOf): Html =>
  html`<details class="related"><summary>${words.related}</summary>${diagram(mapLayout(schemas), hrefOf)}
<dl>${[...schemas.byType.values()].map(
    ({ type, relations }) =>
      relations.size > 0 &&
      html`<div><dt>${titleOf(type)}</dt><dd><ul class="plain">${[...relations.values()].map(
        (relation) =>
          html`<li>${plainName(relation.name)} → ${eitherOf(targetSchemas(schemas, relation).map((target) => plainName(target.type)))}</li>`,
      )}</ul></dd></div>`,
  )}</dl></details>`

const idOf = (i: number): string => `group-${i + 1}`

/** Of more types a diagram shows nothing; they are found by their names. */
const mostDrawn = 30

/** Shown by the pages' script, which looks through what is on the page already. */
const finder = (): Html =>
  html`<p><input type="search" data-find=".types > .card" placeholder="${words.find}" aria-label="${words.find}" hidden></p>`

type HrefOf = (schema: ResourceSchema) => string | null

function diagram({ width, height, places, roads }: MapLayout, hrefOf: HrefOf): Html {
  return html`<div class="scroll"><svg viewBox="0 0 ${width} ${height}" role="group" aria-label="${words.related}">
<defs><marker id="many" viewBox="0 0 12 12" refX="12" refY="6" markerWidth="14" markerHeight="14" orient="auto-start-reverse"><path class="road" d="M0 6 12 0M0 6 12 12M0 6H12"/></marker></defs>
${roads.map(road)}${places.map((place) => box(place, hrefOf(place.schema)))}</svg></div>`
}

function road({ from, to, names, isMany }: Road): Html {
  const a = edgeOf(from, to)
  const b = edgeOf(to, from)
  return html`<line class="road" x1="${a.x}" y1="${a.y}" x2="${b.x}" y2="${b.y}"${isMany.from && html` marker-start="url(#many)"`}${isMany.to && html` marker-end="url(#many)"`}><title>${names.join(', ')}</title></line>`
}

/** Where a line from the middle of one box to that of another leaves the first. */
function edgeOf(from: MapBox, to: MapBox): { readonly x: number; readonly y: number } {
  const dx = to.x - from.x
  const dy = to.y - from.y
  const share = Math.min(boxWidth / 2 / Math.abs(dx || 1e-9), boxHeight / 2 / Math.abs(dy || 1e-9))
  return { x: Math.round(from.x + dx * share), y: Math.round(from.y + dy * share) }
}

function box({ schema, x, y }: MapBox, href: string | null): Html {
  const content = html`<rect class="box" x="${x - boxWidth / 2}" y="${y - boxHeight / 2}" width="${boxWidth}" height="${boxHeight}" rx="6"/>
<text x="${x}" y="${y}" text-anchor="middle" dominant-baseline="central">${plainName(schema.type)}</text>`
  return href === null ? html`<g class="closed">${content}</g>` : html`<a href="${href}">${content}</a>`
}

interface Described {
  readonly href: string | null
  readonly level: 2 | 3
  /** Null where it is not told. */
  readonly count: Words | null
}

function described(schema: ResourceSchema, { href, level, count }: Described): Content {
  const { model } = schema
  const name = [
    href === null ? typeTitle(schema) : html`<a href="${href}">${typeTitle(schema)}</a>`,
    count !== null && html` <small>${count}</small>`,
  ]
  return html`<section class="card">${level === 2 ? html`<h2>${name}</h2>` : html`<h3>${name}</h3>`}
${model.documentation && html`<p>${withCode(model.documentation)}</p>`}
${href === null && html`<p class="none">${words.closed}</p>`}</section>`
}

/** The types of a server, their counts, and what changed last. For a server with many types, nothing is queried. */
export async function startPage(caller: Caller): Promise<Html> {
  try {
    return await shownTypes(caller)
  } catch (error) {
    const missing = caller.ctx.server.production ? null : withoutTables(error)
    if (missing === null) throw error
    return html`${missing}${resourceMap(caller.api, { counts: new Map(), recent: null })}`
  }
}

async function shownTypes(caller: Caller): Promise<Html> {
  const { ctx, api } = caller
  if (isLarge(api.schemas))
    return html`${await firstRun(caller, new Map())}${resourceMap(api, { counts: new Map(), recent: null })}`
  await ctx.store.tableSizes.first()
  const pays = purse(Math.min(mostPoints, ctx.limits.cost))
  const counts = await readCounts(caller, pays)
  const map = resourceMap(api, { counts, recent: await recentlyChanged(caller, pays) })
  return html`${await firstRun(caller, counts)}${map}`
}

/** More types are not counted: a page asks the database one question for each. */
const mostCounted = 100

/** How many resources each type has that the caller may list, by the same limits as at home. */
export async function countTypes(caller: Caller): Promise<ReadonlyMap<string, Words>> {
  const { ctx, api } = caller
  if (api.schemas.byType.size > mostCounted) return new Map()
  await ctx.store.tableSizes.first()
  return readCounts(caller, purse(Math.min(mostPoints, ctx.limits.cost)))
}
