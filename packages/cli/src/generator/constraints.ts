import type { ModelMeta, Provider } from '@prismapi/jsonapi/model/meta'
import type { DMMF } from '../prisma/schema-description.ts'

// Of the databases that call a broken unique by its name and not by its columns, the longest names that they have.
const limits: Readonly<Record<Provider, number>> = {
  sqlite: 64,
  postgresql: 63,
  cockroachdb: 63,
  mysql: 64,
  sqlserver: 128,
}

/** The uniques of a model by the name of their constraint in the database: from `map:`, or as Prisma names it. */
export function toConstraints(
  model: DMMF.Model,
  indexes: readonly DMMF.Index[],
  provider: Provider,
): ModelMeta['constraints'] {
  const fields = new Map(model.fields.map((field) => [field.name, field]))
  const uniques = indexes.filter(
    ({ type, fields: parts }) => (type === 'id' || type === 'unique') && parts.every(({ name }) => fields.has(name)),
  )
  return Object.fromEntries(
    uniques.map((index) => {
      const names = index.fields.map(({ name }) => name)
      const columns = names.map((name) => fields.get(name)?.dbName ?? name)
      return [nameOf(index, [model.dbName ?? model.name, ...columns], provider), names]
    }),
  )
}

function nameOf({ type, dbName }: DMMF.Index, [table, ...columns]: readonly string[], provider: Provider): string {
  if (type === 'id' && provider === 'mysql') return 'PRIMARY'
  if (dbName != null) return dbName
  const [base, suffix] = type === 'id' ? [table as string, '_pkey'] : [[table, ...columns].join('_'), '_key']
  return shortened(base, limits[provider] - suffix.length) + suffix
}

/** The first bytes of the text, without half a character at the end. */
function shortened(text: string, length: number): string {
  const bytes = Buffer.from(text)
  return bytes.length <= length
    ? text
    : bytes
        .subarray(0, length)
        .toString()
        .replace(/\uFFFD+$/, '')
}
