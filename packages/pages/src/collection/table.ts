import type { Relationship, ResourceObject } from '@prismapi/jsonapi/document/types'
import type { Attribute, ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { hasLabel } from '../data/page-data.ts'
import { labelIn, nameOf, type Showing, schemaIn } from '../data/showing.ts'
import { type Content, type Html, html } from '../html/html.ts'
import { isNumeric, valueHtml } from '../html/values.ts'
import { pick, pickAll } from '../many/ask.ts'
import { named, relationshipHtml } from '../resource/relationships.ts'
import { table as words } from '../texts/reading.ts'
import { fieldWords, joined, oneOf, titleOf, type Words } from '../texts/words.ts'
import { sortLink } from './links.ts'

/** A column of a table: a field that any of the resources shows. */
interface Column {
  readonly name: string
  readonly title: Words
  readonly isRight: boolean
  readonly isTime?: boolean
  cell(resource: ResourceObject): Content
}

export interface Listed {
  readonly showing: Showing
  readonly resources: readonly ResourceObject[]
  /** The way to the rows that have no value of a field, by its name. */
  readonly without: ReadonlyMap<string, string>
  /** The columns beside the label; null for all. */
  readonly shown: ReadonlySet<string> | null
  /** Can rows be chosen, for what is done with many. */
  readonly isPicked: boolean
  /** Path and query of the page, whose order the heads change; null where they cannot. */
  readonly sorted: { readonly path: string; readonly search: string; readonly names: ReadonlySet<string> } | null
}

/** A collection, one row for each resource: what it is called, and one column for each field that any of them shows. */
export function resourceTable({ showing, resources, shown, sorted, isPicked, without }: Listed): Html {
  const head = labelColumn(showing, resources)
  const columns = columnsOf(showing, resources, head.name).filter(({ name }) => shown?.has(name) ?? true)
  const heads = [head, ...columns]
  const times = columns.filter(({ isTime }) => isTime)
  const onCards = new Set([...columns.filter(({ isTime }) => !isTime).slice(0, 2), ...times.slice(-1)])
  // For readers who do not see it.
  const label = joined([...new Set(resources.map(({ type }) => type))].map(titleOf), ', ')
  return html`<div class="scroll" role="region" aria-label="${label}" tabindex="0"><table class="rows few">
<thead><tr>${heads.map((column, i) => html`<th scope="col"${column.isRight && html` class="n"`}${sorted && ariaSort(column, sorted.search)}>${isPicked && i === 0 && pickAll}${sorted ? sortLink(column, sorted) : column.title}${withoutLink(column, without)}</th>`)}</tr></thead>
<tbody>${resources.map(
    (
      resource,
    ) => html`<tr><th scope="row">${isPicked && pick(resource.id, nameOf(showing, resource))}${head.cell(resource)}</th>${columns.map((column) => cell(column, resource, onCards.has(column)))}</tr>
`,
  )}</tbody></table></div>`
}

function withoutLink({ name }: Column, without: ReadonlyMap<string, string>): Content {
  const href = without.get(name)
  return href && html` <a class="without" href="${href}">${words.without(fieldWords(name))}</a>`
}

function ariaSort({ name }: Column, search: string): Content {
  const [first = ''] = (new URLSearchParams(search).get('sort') ?? '').split(',')
  if (first === name) return html` aria-sort="ascending"`
  return first === `-${name}` && html` aria-sort="descending"`
}

// On a phone each row is a card of two values and a time, the same on each, whose cells say themselves what they are.
const cell = (column: Column, resource: ResourceObject, isOnCard: boolean): Html =>
  html`<td${isOnCard && html` data-label="${column.title}"`}${column.isRight && html` class="n"`}>${column.cell(resource)}</td>`

/** What resources are called, and their type where there are several. */
function labelColumn(showing: Showing, resources: readonly ResourceObject[]): Column {
  const types = new Set(resources.map(({ type }) => type))
  const [type] = types
  const schema = types.size === 1 && type !== undefined ? schemaIn(showing, type) : null
  const name = schema && hasLabel(schema) ? schema.label : 'id'
  return {
    name,
    title: name === 'id' ? words.id : titleOf(name),
    isRight: false,
    cell: (resource) => [
      named(showing, resource),
      types.size > 1 && labelIn(showing, resource) !== null && html`<small>${oneWord(showing, resource.type)}</small>`,
    ],
  }
}

function columnsOf(showing: Showing, resources: readonly ResourceObject[], label: string): readonly Column[] {
  const schemas = [...new Set(resources.map(({ type }) => type))].flatMap((type) => schemaIn(showing, type) ?? [])
  const attributes = namesOf(resources.map(({ attributes = {} }) => attributes)).filter((name) => name !== label)
  const relationships = namesOf(resources.map(({ relationships = {} }) => relationships))
  return [
    ...attributes.map((name) => attributeColumn(name, attributeIn(schemas, name))),
    ...relationships.map((name) => relationColumn(showing, resources, name)),
  ]
}

const oneWord = (showing: Showing, type: string): Words => {
  const schema = schemaIn(showing, type)
  return schema ? oneOf(schema) : fieldWords(type)
}

const namesOf = (members: readonly object[]): readonly string[] => [...new Set(members.flatMap(Object.keys))]

const attributeIn = (schemas: readonly ResourceSchema[], name: string): Attribute | null =>
  schemas.map(({ attributes }) => attributes.get(name)).find((attribute) => attribute !== undefined) ?? null

const attributeColumn = (name: string, attribute: Attribute | null): Column => ({
  name,
  title: titleOf(name),
  isRight: isNumeric(attribute),
  isTime: attribute?.kind === 'datetime' || attribute?.kind === 'date',
  cell: ({ attributes = {} }) =>
    Object.hasOwn(attributes, name) && valueHtml(attributes[name], attribute, { isCell: true }),
})

function relationColumn(showing: Showing, resources: readonly ResourceObject[], name: string): Column {
  const api = (resource: ResourceObject): Relationship | null => {
    const own = resource.relationships?.[name]
    return own ? (showing.beside.relationshipOf(resource, name) ?? own) : null
  }
  return {
    name,
    title: titleOf(name),
    isRight: resources.every((resource) => isSeveral(api(resource))),
    cell: (resource) => {
      const relationship = api(resource)
      return relationship && relationshipHtml(showing, relationship, { isCell: true })
    },
  }
}

/** Of several, a table has the number. */
const isSeveral = (relationship: Relationship | null): boolean =>
  relationship?.data === undefined || Array.isArray(relationship.data)
