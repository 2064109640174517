import type { Identifier, ResourceObject } from '@prismapi/jsonapi/document/types'
import { type Showing, schemaIn } from '../data/showing.ts'
import { type Content, type Html, html } from '../html/html.ts'
import { valueHtml } from '../html/values.ts'
import { page as words } from '../texts/reading.ts'
import { titleOf, type Words } from '../texts/words.ts'
import { named, relationshipHtml } from './relationships.ts'

/** One resource, with all that its document tells. */
const resourceCard = (showing: Showing, resource: ResourceObject): Html =>
  html`<article class="card"><h3>${named(showing, resource)}</h3>${resourceFields(showing, resource)}</article>`

export function resourceFields(showing: Showing, resource: ResourceObject): Html {
  const { type, attributes = {}, relationships = {}, meta } = resource
  const schema = schemaIn(showing, type)
  return html`<dl>${Object.entries(attributes).map(([name, value]) =>
    entry(titleOf(name), valueHtml(value, schema?.attributes.get(name))),
  )}
${Object.entries(relationships).map(([name, each]) => {
  const api = showing.beside.relationshipOf(resource, name) ?? each
  return entry(titleOf(name), relationshipHtml(showing, api))
})}
${meta && entry(words.meta, valueHtml(meta))}</dl>`
}

const entry = (title: Words, content: Content): Html => html`<div><dt>${title}</dt><dd>${content}</dd></div>`

/** Linkage, each with the button that takes it out, if there is one. */
export const identifierList = (
  showing: Showing,
  identifiers: readonly Identifier[],
  removing: ((one: Identifier) => Content) | null,
): Html =>
  identifiers.length === 0
    ? html`<p class="empty">${words.noOne}</p>`
    : html`<ul class="links-held">${identifiers.map((each) => html`<li>${named(showing, each)}${removing?.(each)}</li>`)}</ul>`

/** What was included, by its type. */
export function includedCards(showing: Showing, included: readonly ResourceObject[]): Html {
  const types = [...new Set(included.map(({ type }) => type))]
  return html`<section><h2>${words.included}</h2>${types.map((type) => {
    const own = included.filter((each) => each.type === type)
    return html`<details open><summary>${titleOf(type)} (${own.length})</summary>
<div class="cards">${own.map((each) => resourceCard(showing, each))}</div></details>`
  })}</section>`
}
