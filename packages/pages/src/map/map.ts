import { type ResourceSchema, type SchemaRegistry, targetSchemas } from '@prismapi/jsonapi/schema/resource-schema'
import { pagesOf } from '../compile-pages.ts'
import { purse } from '../data/count-listed.ts'
import type { Caller, VisibleApi } from '../data/page-request.ts'
import { type Content, type Html, html, withCode } from '../html/html.ts'
import { page, map as words } from '../texts/reading.ts'
import { eitherOf, plainName, type Words } from '../texts/words.ts'
import { readCounts } from './counts.ts'
import { boxHeight, boxWidth, type MapBox, type MapLayout, mapLayout, type Road } from './map-layout.ts'
import { recentlyChanged } from './recent.ts'
import { declaredGroups, lettered, type TypeGroup } from './type-groups.ts'

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
 * The start page of a server: the types that the caller may know, and how they are related, as a diagram and as a list.
 * Many types are a list with a search and with groups.
 */
export function resourceMap(api: VisibleApi, { counts, recent }: Told): Html {
  const { schemas, basePath, audience } = api
  const hrefOf = ({ type }: ResourceSchema) => (audience.has(`${type}.viewAny`) ? `${basePath}/${type}` : null)
  const isShort = isLarge(schemas)
  const drawn = isShort ? null : diagram(mapLayout(schemas), hrefOf)
  const groups = declaredGroups(schemas, pagesOf(api).look) ?? (isShort ? lettered(schemas) : null)
  const list = (some: Iterable<ResourceSchema>, level: 2 | 3) =>
    html`<div class="types">${[...some].map((schema) => described(schemas, schema, { href: hrefOf(schema), level, isShort, count: counts.get(schema.type) ?? null }))}</div>`
  return html`<div class="map">${drawn}${isShort && finder()}${groups && groupNav(groups)}
${groups ? groups.map(({ title, schemas: own }, i) => html`<section class="group" aria-labelledby="${idOf(i)}"><h2 id="${idOf(i)}">${title}</h2>${list(own, 3)}</section>`) : list(schemas.byType.values(), 2)}${recent}</div>`
}

const idOf = (i: number): string => `group-${i + 1}`

const groupNav = (groups: readonly TypeGroup[]): Html =>
  html`<nav class="letters" aria-label="${words.groups}">${groups.map(({ title }, i) => html`<a href="#${idOf(i)}">${title}</a> `)}</nav>`

/** Of more types a diagram shows nothing; they are found by their names. */
const mostDrawn = 30

/** Shown by the pages' script, which looks through what is on the page already. */
const finder = (): Html =>
  html`<p><input type="search" data-find=".types > .card" placeholder="${words.find}" aria-label="${words.find}" hidden></p>`

type HrefOf = (schema: ResourceSchema) => string | null

function diagram({ width, height, places, roads }: MapLayout, hrefOf: HrefOf): Html {
  return html`<div class="scroll"><svg viewBox="0 0 ${width} ${height}" role="group" aria-label="${page.map}">
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
  /** Without its relations. */
  readonly isShort: boolean
  /** Null where it is not told. */
  readonly count: Words | null
}

function described(
  schemas: SchemaRegistry,
  schema: ResourceSchema,
  { href, level, isShort, count }: Described,
): Content {
  const { type, model } = schema
  const name = [
    href === null ? plainName(type) : html`<a href="${href}">${plainName(type)}</a>`,
    count !== null && html` <small>${count}</small>`,
  ]
  const relations = isShort ? [] : [...schema.relations.values()]
  return html`<section class="card">${level === 2 ? html`<h2>${name}</h2>` : html`<h3>${name}</h3>`}
${model.documentation && html`<p>${withCode(model.documentation)}</p>`}
${href === null && html`<p class="none">${words.closed}</p>`}
${
  relations.length > 0 &&
  html`<ul class="plain">${relations.map(
    (relation) =>
      html`<li>${plainName(relation.name)} → ${eitherOf(targetSchemas(schemas, relation).map(({ type }) => plainName(type)))}</li>`,
  )}</ul>`
}</section>`
}

/** What the page asks of the database costs no more, all together: a tenth of what one request may cost by default. */
const mostPoints = 100_000

/** The types of a server, their counts, and what changed last. For a server with many types, nothing is queried. */
export async function startPage(caller: Caller): Promise<Html> {
  const { ctx, api } = caller
  if (isLarge(api.schemas)) return resourceMap(api, { counts: new Map(), recent: null })
  await ctx.store.tableSizes.first()
  const pays = purse(Math.min(mostPoints, ctx.limits.cost))
  const counts = await readCounts(caller, pays)
  return resourceMap(api, { counts, recent: await recentlyChanged(caller, pays) })
}
