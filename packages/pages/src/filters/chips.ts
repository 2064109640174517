import { say } from '@prismapi/jsonapi/document/text'
import type { Caller, PageRequest } from '../data/page-request.ts'
import { labelOfOne } from '../data/picker.ts'
import { typeAndId } from '../data/showing.ts'
import { type Content, html } from '../html/html.ts'
import { fromStart, withParameters } from '../html/links.ts'
import { cut } from '../html/values.ts'
import { filters as words } from '../texts/asking.ts'
import { eitherOf, joined, titleOf, type Words, wordsIn } from '../texts/words.ts'
import { type FilterField, pathOf } from './fields.ts'

const valueLength = 60
const mostLabels = 5

/** The filters in force, each a link that takes it out. */
export async function chips(
  { caller, path, search }: Pick<PageRequest, 'path' | 'search'> & { readonly caller: Caller },
  fields: readonly FilterField[],
): Promise<Content> {
  const inForce = [...new URLSearchParams(search)].filter(([name]) => name.startsWith('filter['))
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
  const all = Object.fromEntries(inForce.map(([name]) => [name, null]))
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
  const [field = '', operator = ''] = path
  const known = fields.find((each) => each.name === field) ?? null
  const title = known?.title ?? joined(field.split('.').map(titleOf), ' › ')
  const api = words.operators[known?.kind ?? 'text'] as Readonly<Record<string, Words>>
  const settled = api[`${operator}:${value}`]
  const said = settled
    ? say`${title} ${settled}`
    : say`${title} ${api[operator] ?? operator} ${shortened(await valueTold(caller, known, value))}`
  return denied ? words.denied(said) : said
}

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
