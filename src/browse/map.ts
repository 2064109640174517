import { type ResourceSchema, type SchemaRegistry, targetSchemas } from '../schema/resource-schema.ts'
import { type Content, type Html, html } from './html.ts'
import { boxHeight, boxWidth, type MapLayout, mapLayout, type Place, type Road } from './map-layout.ts'
import type { Told } from './told.ts'

/** The start page of a server: the types that the caller is told of, and how they are related, as a diagram and as a list. */
export function resourceMap({ schemas, basePath, audience }: Told): Html {
  const hrefOf = ({ type }: ResourceSchema) => (audience.has(`${type}.viewAny`) ? `${basePath}/${type}` : null)
  return html`<div class="map">${diagram(mapLayout(schemas), hrefOf)}
<div class="types">${[...schemas.byType.values()].map((schema) => described(schemas, schema, hrefOf))}</div></div>`
}

type HrefOf = (schema: ResourceSchema) => string | null

function diagram({ width, height, places, roads }: MapLayout, hrefOf: HrefOf): Html {
  return html`<div class="scroll"><svg viewBox="0 0 ${width} ${height}" role="group" aria-label="Map of the resources">
<defs><marker id="many" viewBox="0 0 12 12" refX="12" refY="6" markerWidth="14" markerHeight="14" orient="auto-start-reverse"><path class="road" d="M0 6 12 0M0 6 12 12M0 6H12"/></marker></defs>
${roads.map(road)}${places.map((place) => box(place, hrefOf(place.schema)))}</svg></div>`
}

function road({ from, to, names, isMany }: Road): Html {
  const a = edgeOf(from, to)
  const b = edgeOf(to, from)
  return html`<line class="road" x1="${a.x}" y1="${a.y}" x2="${b.x}" y2="${b.y}"${isMany.from && html` marker-start="url(#many)"`}${isMany.to && html` marker-end="url(#many)"`}><title>${names.join(', ')}</title></line>`
}

/** Where a line from the middle of one box to that of another leaves the first. */
function edgeOf(from: Place, to: Place): { readonly x: number; readonly y: number } {
  const dx = to.x - from.x
  const dy = to.y - from.y
  const share = Math.min(boxWidth / 2 / Math.abs(dx || 1e-9), boxHeight / 2 / Math.abs(dy || 1e-9))
  return { x: Math.round(from.x + dx * share), y: Math.round(from.y + dy * share) }
}

function box({ schema, x, y }: Place, href: string | null): Html {
  const content = html`<rect class="box" x="${x - boxWidth / 2}" y="${y - boxHeight / 2}" width="${boxWidth}" height="${boxHeight}" rx="6"/>
<text x="${x}" y="${y}" text-anchor="middle" dominant-baseline="central">${schema.type}</text>`
  return href === null ? html`<g class="closed">${content}</g>` : html`<a href="${href}">${content}</a>`
}

function described(schemas: SchemaRegistry, schema: ResourceSchema, hrefOf: HrefOf): Content {
  const href = hrefOf(schema)
  const relations = [...schema.relations.values()]
  return html`<section class="card"><h2>${href === null ? schema.type : html`<a href="${href}">${schema.type}</a>`}</h2>
${schema.model.documentation && html`<p>${schema.model.documentation}</p>`}
${href === null && html`<p class="none">You may not list them.</p>`}
${
  relations.length > 0 &&
  html`<ul class="plain">${relations.map(
    (relation) =>
      html`<li>${relation.name} → ${targetSchemas(schemas, relation)
        .map(({ type }) => type)
        .join(' or ')}</li>`,
  )}</ul>`
}</section>`
}
