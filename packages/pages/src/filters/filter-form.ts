import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { type Caller, formMark, type PageRequest, shownSchema } from '../data/page-request.ts'
import { optionsOf, searchUrl } from '../data/picker.ts'
import { type Content, type Html, hidden, html } from '../html/html.ts'
import { fromStart, withParameters } from '../html/links.ts'
import { filters as words } from '../texts/asking.ts'
import { fieldWords } from '../texts/words.ts'
import { type FilterField, filterFields } from './fields.ts'

type CallerPage = Pick<PageRequest, 'path' | 'search' | 'own'> & { readonly caller: Caller }

/** The forms that narrow a collection: a search if the schema declares one, and one more filter as a sentence. */
export async function filterForms(
  page: CallerPage,
  schema: ResourceSchema,
  fields: readonly FilterField[],
): Promise<Content> {
  const chosen = fields.find(({ name }) => name === page.own.get('-field'))
  return [searchBox(page, schema), chosen ? await sentenceForm(page, chosen, fields) : fieldForm(page, fields)]
}

/** What a form keeps of the query. */
const kept = (search: string, leaves: (name: string) => boolean = () => false): Content =>
  [...new URLSearchParams(fromStart(search))].map(
    ([name, value]) => !leaves(name) && html`<input type="hidden" name="${name}" value="${value}">`,
  )

const searched = 'filter[search]'

/** For a filter of the application's own that is called `search`. */
function searchBox({ path, search }: CallerPage, { filters, type }: ResourceSchema): Content {
  if (filters.get('search')?.kind !== 'string') return null
  const value = new URLSearchParams(search).get(searched)
  return html`<form class="search" method="get" action="${path}" role="search"><input type="hidden" name="${formMark}" value="1">${kept(search, (name) => name === searched)}
<input type="search" name="${searched}" value="${value}" aria-label="${words.searchIn(fieldWords(type))}"> <button>${words.search}</button></form>`
}

/** The field is chosen first: which words and which control come behind it depends on it. */
const fieldForm = ({ path, search }: CallerPage, fields: readonly FilterField[]): Html =>
  html`<form class="filter" id="filter" method="get" action="${path}" data-now>${kept(search)}
<label>${words.where} <select name="-field"><option value="">${words.choose}</option>${fields.map(
    ({ name, title, operators }) => operators.size > 0 && html`<option value="${name}">${title}</option>`,
  )}</select></label> <button>${words.next}</button></form>`

async function sentenceForm(page: CallerPage, field: FilterField, fields: readonly FilterField[]): Promise<Html> {
  const { path, search } = page
  const apart = fields.filter(({ isApart }) => isApart).map(({ name }) => `filter[${name}]`)
  const conditions = [...new URLSearchParams(search).keys()].filter(
    (name) => name.startsWith('filter[') && !apart.includes(name),
  )
  const isJoined = conditions.length > 0 && !field.isApart
  return html`<form class="filter" id="filter" method="get" action="${path}"><input type="hidden" name="${formMark}" value="1">${kept(search)}
<input type="hidden" name="-field" value="${field.name}"><input type="hidden" name="-kind" value="${field.kind}">${apart.map((name) => hidden('-apart', name))}
${isJoined && html`<select name="-join" aria-label="${words.join}"><option value="and">${words.and}</option><option value="or">${words.or}</option></select> `}<strong>${field.title}</strong>
<select name="-operator" aria-label="${words.operator}">${[...field.operators].map(([operator, text]) => html`<option value="${operator}">${text}</option>`)}</select>
${await valueControl(page, field)} <button class="main">${words.apply}</button> <a href="${path}${search}">${words.cancel}</a></form>`
}

async function valueControl({ caller }: CallerPage, field: FilterField): Promise<Content> {
  const { kind, values, target } = field
  const named = html`name="-value" aria-label="${words.value}" autocomplete="off"`
  switch (kind) {
    case 'choice':
      return values.map(
        (value) => html`<label><input type="checkbox" name="-value" value="${value}"> ${value}</label> `,
      )
    case 'boolean':
      return html`<select ${named}><option value="true">${words.yes}</option><option value="false">${words.no}</option></select>`
    case 'number':
      return html`<input ${named} inputmode="decimal" size="12">`
    case 'datetime':
      return html`<input ${named} type="datetime-local" step="1"> <small>${words.utc}</small>`
    case 'date':
      return html`<input ${named} type="date">`
    case 'relation': {
      const url = target && searchUrl(caller.api, target)
      const options = target ? await optionsOf(caller, target) : []
      return html`<input ${named} list="filter-options"${url && html` data-search="${url}"`}><datalist id="filter-options">${options.map(
        ({ id, label }) => html`<option value="${id}">${label}</option>`,
      )}</datalist>`
    }
    default:
      return html`<input ${named}>`
  }
}

/** For each field that may be empty, the way to those of a collection in which it is. */
export function withoutLinks({
  caller,
  operation,
  path,
  search,
}: Pick<PageRequest, 'caller' | 'operation' | 'path' | 'search'>): ReadonlyMap<string, string> {
  const schema = operation?.kind === 'viewStats' ? null : shownSchema({ caller, operation })
  if (!caller || !schema) return new Map()
  const fields = filterFields(caller.api, schema).filter(({ operators }) => operators.has('isNull:true'))
  return new Map(
    fields.map(({ name }) => [name, path + withParameters(fromStart(search), { [`filter[${name}][isNull]`]: 'true' })]),
  )
}
