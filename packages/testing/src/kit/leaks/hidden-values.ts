import { delegateOf } from '@prismapi/core/database/prisma/client'
import type { Delegates } from '@prismapi/core/database/store'
import type { ModelMeta, Resources } from '@prismapi/jsonapi/model/meta'
import type { ColumnOf, ModelName, RelationOf, WhereOf } from '@prismapi/jsonapi/model/register'
import type { Row } from '@prismapi/jsonapi/model/where'
import { keyOf, orderOf } from './keys.ts'

/**
 * The columns and relations that no caller may see, by model, each with the Prisma `where` of its rows: what a rule
 * about fields hides.
 *
 * @example
 * const hiddenValues: HiddenValues = { User: { email: { id: { not: 3 } }, posts: { role: 'ADMIN' } } }
 */
export type HiddenValues = {
  readonly [M in ModelName]?: { readonly [F in ColumnOf<M> | RelationOf<M>]?: WhereOf<M> }
}

/** A field of a row that is hidden. */
export interface HiddenField {
  readonly model: string
  readonly field: string
  readonly row: Row
}

type Named = readonly (readonly [model: ModelMeta, field: string, where: object])[]

/** One after the other. */
export function namedIn({ models }: Pick<Resources, 'models'>, values: HiddenValues): Named {
  const given = values as Readonly<Record<string, Readonly<Record<string, object>>>>
  return Object.entries(given).flatMap(([model, fields]) =>
    Object.entries(fields).map(([field, where]) => [models[model] as ModelMeta, field, where] as const),
  )
}

/** @throws {Error} for a model and a field that there is not, and for a key, which is always seen. */
export function checkHiddenValues(what: string, { models }: Pick<Resources, 'models'>, values: HiddenValues): void {
  for (const [model, fields = {}] of Object.entries(values)) {
    const known = models[model]
    for (const field of Object.keys(known ? fields : {})) {
      const isKey = known?.key.includes(field)
      if (known && !isKey && (Object.hasOwn(known.columns, field) || Object.hasOwn(known.relations, field))) continue
      const cure = isKey ? 'The key of a row is always seen.' : 'Name a column or a relation of the Prisma schema.'
      throw new Error(`${what}({ hiddenValues: { ${model}: { ${field} } } }): no field that is hidden. ${cure}`)
    }
    if (!known)
      throw new Error(`${what}({ hiddenValues: { ${model} } }): no such model. Name one of the Prisma schema.`)
  }
}

/**
 * Every field of every row that is hidden.
 * @throws {Error} for a field that is hidden of no row: nothing would be tested.
 */
export async function readHiddenFields(
  resources: Resources,
  client: object,
  values: HiddenValues,
): Promise<readonly HiddenField[]> {
  const found: HiddenField[] = []
  for (const [model, field, where] of namedIn(resources, values)) {
    const rows = await delegateOf(client as Delegates, model.name).findMany({ where, orderBy: orderOf(model) })
    if (rows.length === 0)
      throw new Error(
        `leaks({ hiddenValues: { ${model.name}: { ${field} } } }): it is hidden of no row, so nothing would be tested. Add one to the database.`,
      )
    found.push(...rows.map((row) => ({ model: model.name, field, row })))
  }
  return found
}

/** Which cells are hidden: `isIn(model, row, column)`. */
export function cellsOf(models: Resources['models'], fields: readonly HiddenField[]) {
  const nameOf = (model: string, row: Row, field: string) =>
    JSON.stringify([model, field, keyOf(models[model] as ModelMeta, row)])
  const cells = new Set(fields.map(({ model, row, field }) => nameOf(model, row, field)))
  return (model: string, row: Row, field: string): boolean => cells.size > 0 && cells.has(nameOf(model, row, field))
}
