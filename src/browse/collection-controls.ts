import { pageParameters } from '../openapi/page-parameters.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'
import { group } from './control-parts.ts'
import { type Content, html } from './html.ts'
import { sortNames } from './sort-links.ts'
import type { Told } from './told.ts'

/** What orders and cuts a collection of the type. */
export const collectionControls = (told: Told, schema: ResourceSchema, sent: URLSearchParams): Content => [
  sortControl(told, schema, sent),
  pageControls(schema, sent),
]

function sortControl(told: Told, schema: ResourceSchema, sent: URLSearchParams): Content {
  const names = sortNames(told, schema)
  if (names.length === 0) return null
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
  name === '' ? 'default order' : name.includes(',') ? name : name.startsWith('-') ? `${name.slice(1)} ↓` : `${name} ↑`

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
