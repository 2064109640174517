import { say } from '@prismapi/jsonapi/document/text'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { type Caller, formMark, type PageRequest, shownSchema, typedMark } from '../data/page-request.ts'
import { labelOfOne, readOptions, searchUrl } from '../data/picker.ts'
import { typeAndId } from '../data/showing.ts'
import { type Content, type Html, hidden, html } from '../html/html.ts'
import { fromStart, withParameters } from '../html/links.ts'
import { cut } from '../html/values.ts'
import { filters as words } from '../texts/asking.ts'
import { eitherOf, fieldWords, joined, titleOf, type Words, wordsIn } from '../texts/words.ts'
import { type FilterField, filterFields, pathOf } from './fields.ts'

type CallerPage = Pick<PageRequest, 'path' | 'search' | 'own'> & { readonly caller: Caller }

/** The filter that is being written, as a sentence, once its field is chosen. */
export async function openFilter(page: CallerPage, fields: readonly FilterField[]): Promise<Content> {
  const chosen = fields.find(({ name }) => name === page.own.get('-field'))
  return chosen ? sentenceForm(page, chosen, fields) : null
}

/** What a form keeps of the query. */
const kept = (search: string, leaves: (name: string) => boolean = () => false): Content =>
  [...new URLSearchParams(fromStart(search))].map(
    ([name, value]) => !leaves(name) && html`<input type="hidden" name="${name}" value="${value}">`,
  )

/** The filter of the application's own that is called `search`; else that of what resources are called. */
const searchName = (caller: Caller, schema: ResourceSchema): string | undefined =>
  schema.filters.get('search')?.kind === 'string'
    ? 'filter[search]'
    : /&(filter\[[^&]+\])=$/.exec(searchUrl(caller.api, schema) ?? '')?.[1]

export function searchBox({ path, search, caller }: CallerPage, schema: ResourceSchema): Content {
  const name = searchName(caller, schema)
  if (name === undefined) return null
  const title = words.searchIn(fieldWords(schema.type))
  return html`<form class="search" method="get" action="${path}" role="search">${hidden(formMark, '1')}${kept(search, (each) => each === name)}
<input type="search" name="${name}" value="${new URLSearchParams(search).get(name)}" aria-label="${title}" placeholder="${title}"> <button class="go">${words.search}</button></form>`
}

/** The field is chosen first: which words and which control come behind it depends on it. */
export const fieldForm = ({ path, search }: CallerPage, fields: readonly FilterField[]): Html =>
  html`<form class="filter" id="filter" method="get" action="${path}" data-now>${kept(search)}
<select name="-field" aria-label="${words.where}" data-opens="sentence"><option value="">${words.choose}</option>${fields.map(
    ({ name, title, operators }) => operators.size > 0 && html`<option value="${name}">${title}</option>`,
  )}</select> <button class="go">${words.next}</button></form>`

async function sentenceForm(page: CallerPage, field: FilterField, fields: readonly FilterField[]): Promise<Html> {
  const { path, search, own } = page
  const typed = own.get(typedMark)
  const apart = fields.filter(({ isApart }) => isApart).map(({ name }) => `filter[${name}]`)
  const conditions = [...new URLSearchParams(search).keys()].filter(
    (name) => name.startsWith('filter[') && !apart.includes(name),
  )
  const isJoined = conditions.length > 0 && !field.isApart
  return html`<form class="filter panel" id="sentence" method="get" action="${path}"><input type="hidden" name="${formMark}" value="1">${kept(search)}
<input type="hidden" name="-field" value="${field.name}"><input type="hidden" name="-kind" value="${field.kind}">${apart.map((name) => hidden('-apart', name))}
${isJoined && html`<select name="-join" aria-label="${words.join}"><option value="and">${words.and}</option><option value="or">${words.or}</option></select> `}<strong>${field.title}</strong>
<select name="-operator" aria-label="${words.operator}">${[...field.operators].map(([operator, text]) => html`<option value="${operator}">${text}</option>`)}</select>
${await valueControl(page, field)}${typed !== null && html`<p class="error" role="alert">${words.nobody(typed)}</p>`} <button class="main">${words.apply}</button> <a href="${path}${search}">${words.cancel}</a></form>`
}

async function valueControl({ caller, own }: CallerPage, field: FilterField): Promise<Content> {
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
      const options = target ? await readOptions(caller, target) : []
      return html`<input ${named} value="${own.get(typedMark)}" list="filter-options"${url && html` data-search="${url}"`}><datalist id="filter-options">${options.map(
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

const valueLength = 60
const mostLabels = 5

/** The filters in force, each a link that takes it out: all but the text that stands in the search box. */
export async function chips(
  { caller, path, search }: Pick<PageRequest, 'path' | 'search'> & { readonly caller: Caller },
  fields: readonly FilterField[],
  schema: ResourceSchema,
): Promise<Content> {
  const filters = [...new URLSearchParams(search)].filter(([name]) => name.startsWith('filter['))
  const inForce = filters.filter(([name]) => name !== searchName(caller, schema))
  if (inForce.length === 0) return null
  const shown: Content[] = []
  let before: readonly string[] | null = null
  for (const [name, value] of inForce) {
    const { groups } = placeOf(name)
    const join = before && joinOf(before, groups)
    shown.push(
      join && html`<span class="join">${join}</span>`,
      html`<a class="chip" href="${path}${withParameters(fromStart(search), { [name]: null })}" title="${words.remove}">${await sentence(caller, fields, name, value)}</a>`,
    )
    before = groups
  }
  const all = Object.fromEntries(filters.map(([name]) => [name, null]))
  return html`<nav class="chips" id="filters" aria-label="${words.inForce}">${shown} <a href="${path}${withParameters(fromStart(search), all)}">${words.clear}</a></nav>`
}

const isGroup = (word: string | undefined): boolean => word === 'or' || word === 'and' || word === 'not'

/** The groups that a filter stands in, such as `or 1`, the outermost first, and the rest of its path. */
function placeOf(name: string): { readonly groups: readonly string[]; readonly path: readonly string[] } {
  const groups: string[] = []
  let path = pathOf(name)
  while (isGroup(path[0]) && path.length > 2) {
    groups.push(`${path[0]} ${path[1]}`)
    path = path.slice(2)
  }
  return { groups, path }
}

/** What stands between a filter and the one before it; null within a group. */
function joinOf(before: readonly string[], own: readonly string[]): Words | null {
  const at = own.findIndex((group, i) => group !== before[i])
  if (at < 0) return before.length > own.length ? words.and : null
  return own[at]?.startsWith('or ') && before[at]?.startsWith('or ') ? words.or : words.and
}

async function sentence(caller: Caller, fields: readonly FilterField[], name: string, value: string): Promise<Words> {
  const { groups, path } = placeOf(name)
  const denied = groups.filter((group) => group.startsWith('not ')).length % 2 === 1
  const [field = '', ...rest] = path
  const { title, known, operator } = subjectOf(caller, fields, [...field.split('.'), ...rest])
  const api = words.operators[known?.kind ?? 'text'] as Readonly<Record<string, Words>>
  const inBin = known?.isApart ? words.trashed[value] : undefined
  if (inBin) return inBin
  const settled = api[`${operator}:${value}`]
  const said = settled
    ? say`${title} ${settled}`
    : say`${title} ${api[operator] ?? operator} ${shortened(await valueTold(caller, known, value))}`
  return denied ? words.denied(said) : said
}

interface Subject {
  readonly title: Words
  /** Null for what the caller is not told of. */
  readonly known: FilterField | null
  readonly operator: string
}

/** What a filter is about: `[author][name][contains]`, as `[author.name][contains]`, is the name of the author. */
function subjectOf(caller: Caller, fields: readonly FilterField[], path: readonly string[]): Subject {
  const [name = '', ...rest] = path
  const [next] = rest
  const known = fields.find((each) => each.name === name) ?? null
  const title = known?.title ?? titleOf(name)
  const operators = words.operators[known?.kind ?? 'text']
  const isOperator = next === undefined || next === '' || known?.operators.has(next) || isNamedIn(operators, next)
  if (isOperator || (known && known.kind !== 'relation')) return { title, known, operator: next ?? '' }
  const below = known?.target ? filterFields(caller.api, known.target) : []
  const inner = subjectOf(caller, below, rest)
  return { ...inner, title: joined([title, inner.title], ' › ') }
}

const isNamedIn = (operators: object, name: string): boolean =>
  Object.keys(operators).some((each) => each.split(':')[0] === name)

const shortened =
  (value: Words): Words =>
  (language) =>
    cut(wordsIn(language, value), valueLength)

async function valueTold(caller: Caller, field: FilterField | null, value: string): Promise<Words> {
  if (field?.kind === 'boolean') return value === 'true' ? words.yes : words.no
  const ids = value.split(',')
  if (field?.kind !== 'relation' || !field.target) return eitherOf(ids)
  const { target } = field
  const nameOf = async (id: string) =>
    (await labelOfOne(caller, target, id)) ?? typeAndId({ server: caller.ctx.server }, { type: target.type, id })
  const names = await Promise.all(ids.slice(0, mostLabels).map(nameOf))
  return eitherOf([...names, ...ids.slice(mostLabels)])
}
