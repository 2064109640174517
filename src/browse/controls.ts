import { shownAttributes } from '../openapi/parameter.ts'
import type { Operation } from '../request/operation.ts'
import { isToMany, type Relation, targetModels } from '../schema/relation-kinds.ts'
import { type ResourceSchema, targetSchemas } from '../schema/resource-schema.ts'
import { formMark } from './asked.ts'
import { collectionControls } from './collection-controls.ts'
import { checkbox, group, listOf } from './control-parts.ts'
import { type Content, type Html, html } from './html.ts'
import type { Told } from './told.ts'

interface Asking {
  readonly told: Told
  /** The types of the primary data. */
  readonly schemas: readonly ResourceSchema[]
  readonly relations: readonly Relation[]
  readonly sent: URLSearchParams
}

/** The form that asks for another view of the same URL: it offers what the caller may use. */
export function controls(
  told: Told,
  operation: Operation,
  { path, search }: { readonly path: string; readonly search: string },
): Html | null {
  const shown = shownBy(operation)
  if (!shown) return null
  const schemas = shown.models.flatMap((model) => told.schemas.byModel.get(model) ?? [])
  const relations = schemas.flatMap(({ type, relations }) =>
    [...relations.values()].filter(({ name }) => told.audience.has(`${type}.${name}.viewRelated`)),
  )
  const asking: Asking = { told, schemas, relations, sent: new URLSearchParams(search) }
  const [schema, other] = schemas
  const ofCollection = shown.isCollection && schema && !other ? collectionControls(told, schema, asking.sent) : null
  return html`<details class="controls"${search && html` open`}><summary>Ask for more, or less</summary>
<form method="get" action="${path}"><input type="hidden" name="${formMark}" value="1">
${includeControls(asking)}${ofCollection}${countControls(asking)}${fieldControls(asking)}
<p><button>Ask</button> <a href="${path}">Ask for nothing</a></p></form></details>`
}

/** The primary data of an operation; null where no form asks for it. */
function shownBy(operation: Operation) {
  const { schema, kind } = operation
  if (kind === 'viewAny' || kind === 'view') return { models: [schema.model.name], isCollection: kind === 'viewAny' }
  if (kind !== 'viewRelated') return null
  const { relation } = operation
  return { models: targetModels(relation), isCollection: isToMany(relation) }
}

function includeControls({ relations, sent, schemas }: Asking): Content {
  const names = new Set(relations.filter(({ isIncludable }) => isIncludable).map(({ name }) => name))
  const asked = sent.has('include') ? listOf(sent, 'include') : schemas.flatMap(({ defaultInclude }) => defaultInclude)
  const all = [...new Set([...names, ...asked])]
  if (all.length === 0) return null
  return group(
    'Include',
    all.map((name) => checkbox('-include', name, asked.includes(name))),
  )
}

function countControls({ relations, sent }: Asking): Content {
  const names = relations.filter((relation) => isToMany(relation) && relation.isCountable).map(({ name }) => name)
  const asked = listOf(sent, 'withCount')
  if (names.length === 0) return null
  return group(
    'Count',
    [...new Set(names)].map((name) => checkbox('-withCount', name, asked.includes(name))),
  )
}

function fieldControls({ told, schemas, relations, sent }: Asking): Content {
  const near = relations.flatMap((relation) => targetSchemas(told.schemas, relation))
  const types = [...new Set([...schemas, ...near])]
  return html`<details><summary>Fields</summary>${types.map((schema) => {
    const key = `fields[${schema.type}]`
    const names = [...shownAttributes(schema).map(({ name }) => name), ...schema.relations.keys()]
    const asked = sent.has(key) ? listOf(sent, key) : names
    return group(`Fields of ${schema.type}`, [
      html`<input type="hidden" name="-of" value="${schema.type} ${names.length}">`,
      names.map((name) => checkbox(`-fields.${schema.type}`, name, asked.includes(name))),
    ])
  })}</details>`
}
