import { filterParameters, trashedParameter } from '../openapi/filter-parameters.ts'
import { pageParameters } from '../openapi/page-parameters.ts'
import { sortParameter } from '../openapi/sort-parameter.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'
import { group } from './control-parts.ts'
import { type Content, html } from './html.ts'
import type { Told } from './told.ts'

/** What orders, narrows and cuts a collection of the type. */
export const collectionControls = (told: Told, schema: ResourceSchema, sent: URLSearchParams): Content => [
  sortControl(told, schema, sent),
  filterControls(told, schema, sent),
  pageControls(schema, sent),
]

interface Choices {
  readonly items: {
    readonly enum?: readonly string[]
    readonly anyOf?: readonly { readonly enum?: readonly string[] }[]
  }
}

function sortControl(told: Told, schema: ResourceSchema, sent: URLSearchParams): Content {
  const [parameter] = Object.values(sortParameter(told, schema, told.audience.isScoped))
  if (!parameter) return null
  const { items } = parameter.schema as Choices
  const names = items.enum ?? items.anyOf?.flatMap((each) => each.enum ?? []) ?? []
  const asked = sent.get('sort') ?? ''
  const all = [...new Set(['', ...(asked === '' ? [] : [asked]), ...names])]
  return group(
    'Sort',
    html`<label>by <select name="-sort">${all.map(
      (name) => html`<option value="${name}"${name === asked && html` selected`}>${sortLabel(name)}</option>`,
    )}</select></label>`,
  )
}

const sortLabel = (name: string): string =>
  name === '' ? 'as it comes' : name.includes(',') ? name : name.startsWith('-') ? `${name.slice(1)} ↓` : `${name} ↑`

function filterControls(told: Told, schema: ResourceSchema, sent: URLSearchParams): Content {
  const parameters = { ...filterParameters(told, schema), ...trashedParameter(told, schema) }
  const usable = Object.values(parameters).map(({ name }) => name as string)
  const fields = [...new Set(usable.map(fieldOf))]
  const inForce = [...sent].filter(([name]) => name.startsWith('filter'))
  return group('Filter', [
    inForce.map(
      ([name, value]) =>
        html`<label><input type="checkbox" name="${name}" value="${value}" checked> <code>${name}=${value}</code></label><br>`,
    ),
    html`<label>where <select name="-filter"><option value="">…</option>${fields.map(
      (field) =>
        html`<optgroup label="${field}">${usable
          .filter((name) => fieldOf(name) === field)
          .map((name) => html`<option value="${name}">${filterLabel(name)}</option>`)}</optgroup>`,
    )}</select></label> <label>is <input name="-value" autocomplete="off"></label>`,
  ])
}

const pathOf = (name: string): readonly string[] => name.slice('filter['.length, -1).split('][')
const fieldOf = (name: string): string => pathOf(name)[0] as string
const filterLabel = (name: string): string => pathOf(name).join(' ')

function pageControls(schema: ResourceSchema, sent: URLSearchParams): Content {
  const parameters = Object.values(pageParameters(schema))
  if (parameters.length === 0) return null
  return group(
    'Page',
    parameters.map((parameter) => {
      const name = parameter.name as string
      const isNumber = (parameter.schema as { readonly type?: string }).type === 'integer'
      return html`<label>${name.slice('page['.length, -1)} <input name="${name}" value="${sent.get(name)}" size="8"${isNumber && html` inputmode="numeric"`}></label> `
    }),
  )
}
