import type { ResourceObject } from '@prismapi/jsonapi/document/types'
import type { Operation } from '@prismapi/jsonapi/request/operation'
import { isToMany, targetModels } from '@prismapi/jsonapi/schema/relation-kinds'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { pageParameters, shownAttributes } from '@prismapi/openapi/parameter'
import { sizeNames } from '../data/count-listed.ts'
import { type Caller, formMark, keepMark, type PageRequest, resetMark, type VisibleApi } from '../data/page-request.ts'
import { filterFields } from '../filters/fields.ts'
import { chips, fieldForm, openFilter, searchBox } from '../filters/filter-form.ts'
import { type Content, type Html, hidden, html } from '../html/html.ts'
import { listOf } from '../html/links.ts'
import { view as words } from '../texts/asking.ts'
import { joined, titleOf, type Words } from '../texts/words.ts'
import { usualColumns } from './columns.ts'
import { sortNames } from './links.ts'

interface Asking {
  /** The types of the primary data. */
  readonly schemas: readonly ResourceSchema[]
  readonly sent: URLSearchParams
  /** The type of the rows of a table; null for all else. */
  readonly listed: ResourceSchema | null
  readonly resources: readonly ResourceObject[]
  /** Those that this browser keeps, by the type. */
  readonly columns: PageRequest['kept']['columns']
}

type CallerPage = PageRequest & { readonly caller: Caller }

/** What asks for another view of the same URL: it offers what the caller may use. */
export async function controls(
  page: CallerPage,
  operation: Operation,
): Promise<{ readonly tools: Content; readonly chips: Content } | null> {
  const { api } = page.caller
  const shown = shownBy(operation)
  if (!shown) return null
  const schemas = shown.models.flatMap((model) => api.schemas.byModel.get(model) ?? [])
  const [schema, other] = schemas
  const listed = shown.isCollection && schema && !other ? schema : null
  const fields = listed ? filterFields(api, listed) : []
  return {
    tools: [listed && [searchBox(page, listed), fieldForm(page, fields)], view(page, schemas, listed)],
    chips: listed && [await chips(page, fields, listed), await openFilter(page, fields)],
  }
}

// What the form of the view has controls of its own for, beside the fields of types. A choice begins at page one.
const own = /^(?:sort|page\[.*\])$/

function view(
  { caller, path, search, document, kept: { columns } }: CallerPage,
  schemas: readonly ResourceSchema[],
  listed: ResourceSchema | null,
): Html {
  const { api } = caller
  const sent = new URLSearchParams(search)
  const resources = Array.isArray(document.data) ? (document.data as readonly ResourceObject[]) : []
  const chosen = new Set(schemas.map(({ type }) => `fields[${type}]`))
  const kept = [...sent].filter(([name]) => !own.test(name) && !chosen.has(name))
  const keeps = listed && hidden(keepMark, listed.type)
  // The usual columns are those that no browser keeps.
  const reset = listed
    ? html`<button name="${resetMark}" value="1">${words.reset}</button>`
    : html`<a href="${path}">${words.reset}</a>`
  return html`<details class="menu controls" id="view"><summary class="button">${listed ? words.title : words.parts}</summary>
<form class="sheet" method="get" action="${path}">${hidden(formMark, '1')}${keeps}${kept.map(([name, value]) => hidden(name, value))}
${fieldControls({ schemas, sent, listed, resources, columns })}${listed && [sortControl(api, listed, sent), pageControls(listed, sent)]}
<p class="asks"><button class="main">${words.apply}</button> ${reset}</p></form></details>`
}

/** The primary data of an operation; null where no form asks for it. */
function shownBy(operation: Operation) {
  const { schema, kind } = operation
  if (kind === 'viewAny' || kind === 'view') return { models: [schema.model.name], isCollection: kind === 'viewAny' }
  if (kind !== 'viewRelated') return null
  const { relation } = operation
  return { models: targetModels(relation), isCollection: isToMany(relation) }
}

/** Those that are ticked where nothing was chosen: the label and the usual columns. */
function usualNames(
  schema: ResourceSchema,
  names: readonly string[],
  resources: readonly ResourceObject[],
): readonly string[] {
  const usual = usualColumns(schema, resources)
  return names.filter((name) => name === schema.label || usual.has(name))
}

function fieldControls({ schemas, sent, listed, resources, columns }: Asking): Content {
  return schemas.map((schema) => {
    const key = `fields[${schema.type}]`
    const names = [...shownAttributes(schema).map(({ name }) => name), ...schema.relations.keys()]
    const usual = listed === schema ? usualNames(schema, names, resources) : names
    const chosen = sent.has(key) ? listOf(sent, key) : (listed === schema && columns.get(schema.type)) || usual
    return group(schemas.length > 1 ? titleOf(schema.type) : listed ? words.fields : words.parts, [
      html`<input type="hidden" name="-of" value="${schema.type} ${usual.join()}">`,
      names.map((name) => checkbox(`-fields.${schema.type}`, name, chosen.includes(name))),
    ])
  })
}

const group = (legend: Words, content: Content): Html => html`<fieldset><legend>${legend}</legend>${content}</fieldset>`

const checkbox = (name: string, value: string, isChecked: boolean): Html =>
  html`<label><input type="checkbox" name="${name}" value="${value}"${isChecked && html` checked`}> ${titleOf(value)}</label> `

function sortControl(api: VisibleApi, schema: ResourceSchema, sent: URLSearchParams): Content {
  const isOffered = (name: string) => !schema.search || !/^-?search$/.test(name) || sent.has('filter[search]')
  const names = sortNames(api, schema).filter(isOffered)
  if (names.length === 0) return null
  const chosen = sent.get('sort') ?? ''
  const all = [...new Set(['', ...(chosen === '' ? [] : [chosen]), ...names])]
  return group(
    words.sort,
    html`<select name="-sort" aria-label="${words.sort}">${all.map(
      (name) => html`<option value="${name}"${name === chosen && html` selected`}>${sortLabel(name)}</option>`,
    )}</select>`,
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
      .map(titleOf),
    ' › ',
  )
  return joined([path, isDown ? '↓' : '↑'], ' ')
}

/** Which page it is, the links below the table say. */
function pageControls(schema: ResourceSchema, sent: URLSearchParams): Content {
  const sizes = Object.values(pageParameters(schema)).filter(({ name }) => sizeNames.has(String(name)))
  return sizes.map(({ name }) =>
    group(
      words.rows,
      html`<input name="${String(name)}" value="${sent.get(String(name))}" size="6" inputmode="numeric" aria-label="${words.rows}">`,
    ),
  )
}
