import { pageParameters } from '../../openapi/page-parameters.ts'
import type { ResourceSchema } from '../../schema/resource-schema.ts'
import type { VisibleApi } from '../data/visible-api.ts'
import { type Content, html } from '../html/html.ts'
import { view as words } from '../texts/asking.ts'
import { joined, plainName, type Words } from '../texts/words.ts'
import { group } from './control-parts.ts'
import { sortNames } from './sort-links.ts'

/** What orders and cuts a collection of the type. */
export const collectionControls = (api: VisibleApi, schema: ResourceSchema, sent: URLSearchParams): Content => [
  sortControl(api, schema, sent),
  pageControls(schema, sent),
]

function sortControl(api: VisibleApi, schema: ResourceSchema, sent: URLSearchParams): Content {
  const names = sortNames(api, schema)
  if (names.length === 0) return null
  const chosen = sent.get('sort') ?? ''
  const all = [...new Set(['', ...(chosen === '' ? [] : [chosen]), ...names])]
  return group(
    words.sort,
    html`<label>${words.by} <select name="-sort">${all.map(
      (name) => html`<option value="${name}"${name === chosen && html` selected`}>${sortLabel(name)}</option>`,
    )}</select></label>`,
  )
}

function sortLabel(name: string): Words {
  if (name === '') return words.anyOrder
  if (name.includes(',')) return name
  const isDown = name.startsWith('-')
  const path = joined(
    name
      .slice(isDown ? 1 : 0)
      .split('.')
      .map(plainName),
    '.',
  )
  return joined([path, isDown ? '↓' : '↑'], ' ')
}

function pageControls(schema: ResourceSchema, sent: URLSearchParams): Content {
  const parameters = Object.values(pageParameters(schema))
  if (parameters.length === 0) return null
  return group(
    words.page,
    parameters.map((parameter) => {
      const name = parameter.name as string
      const isNumber = (parameter.schema as { readonly type?: string }).type === 'integer'
      const part = name.slice('page['.length, -1)
      return html`<label>${words.pageParts[part] ?? part} <input name="${name}" value="${sent.get(name)}" size="8"${isNumber && html` inputmode="numeric"`}></label> `
    }),
  )
}
