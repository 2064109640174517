import type { Identifier, ResourceObject } from '../document/types.ts'
import type { CompiledServer } from '../server/compile.ts'
import { type Content, type Html, html } from './html.ts'
import { identified, shownRelationship, shownValue } from './values.ts'

/** One resource, with all that its document tells. */
export function resourceCard(server: CompiledServer, resource: ResourceObject): Html {
  const { attributes = {}, relationships = {}, meta } = resource
  return html`<article class="card">
<h3>${identified(server, resource)}</h3>
<dl>${Object.entries(attributes).map(([name, value]) => entry(name, shownValue(value)))}
${Object.entries(relationships).map(([name, each]) => entry(name, shownRelationship(server, each)))}
${meta && entry('meta', shownValue(meta))}</dl>
</article>`
}

const entry = (name: string, content: Content): Html => html`<div><dt>${name}</dt><dd>${content}</dd></div>`

/** A collection, one row for each resource and one column for each field that any of them shows. */
export function resourceTable(server: CompiledServer, resources: readonly ResourceObject[], label: string): Html {
  if (resources.length === 0) return html`<p class="none">There is nothing here.</p>`
  const attributes = namesOf(resources.map(({ attributes = {} }) => attributes))
  const relationships = namesOf(resources.map(({ relationships = {} }) => relationships))
  const heads = ['id', ...attributes, ...relationships]
  return html`<div class="scroll" role="region" aria-label="${label}" tabindex="0"><table>
<thead><tr>${heads.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${resources.map(
    (resource) => html`<tr><th scope="row">${identified(server, resource)}</th>
${attributes.map((name) => html`<td>${shownCell(resource.attributes, name)}</td>`)}
${relationships.map((name) => {
  const relationship = resource.relationships?.[name]
  return html`<td>${relationship && shownRelationship(server, relationship)}</td>`
})}</tr>`,
  )}</tbody></table></div>`
}

const namesOf = (members: readonly object[]): readonly string[] => [...new Set(members.flatMap(Object.keys))]

const shownCell = (attributes: ResourceObject['attributes'], name: string): Content =>
  attributes && Object.hasOwn(attributes, name) ? shownValue(attributes[name], { isShort: true }) : null

/** Linkage. */
export const identifierList = (server: CompiledServer, identifiers: readonly Identifier[]): Html =>
  identifiers.length === 0
    ? html`<p class="none">It leads nowhere.</p>`
    : html`<ul class="plain">${identifiers.map((each) => html`<li>${identified(server, each)}</li>`)}</ul>`

/** What was included, by its type. */
export function includedCards(server: CompiledServer, included: readonly ResourceObject[]): Html {
  const types = [...new Set(included.map(({ type }) => type))]
  return html`<section><h2>Included</h2>${types.map((type) => {
    const own = included.filter((each) => each.type === type)
    return html`<details open><summary>${type} (${own.length})</summary>
<div class="cards">${own.map((each) => resourceCard(server, each))}</div></details>`
  })}</section>`
}
