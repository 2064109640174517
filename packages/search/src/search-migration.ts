import { createHash } from 'node:crypto'
import { literal, quoted, quotedTable } from '@prismapi/core/database/tables'
import type { ModelMeta, Provider, SearchMeta } from '@prismapi/jsonapi/model/meta'
import type { ResourceSchema, SchemaRegistry } from '@prismapi/jsonapi/schema/resource-schema'

/** A model that is searched, and by which index. */
export interface SearchedModel {
  readonly model: ModelMeta
  readonly search: SearchMeta
}

/**
 * What all servers search, each model once.
 *
 * @throws {Error} where two servers search a model in different ways: it has one index.
 */
export function searchedModels(registries: Iterable<SchemaRegistry>): readonly SearchedModel[] {
  const found = new Map<string, SearchedModel>()
  const schemas: ResourceSchema[] = [...registries].flatMap(({ byType }) => [...byType.values()])
  for (const { model, search } of schemas) {
    if (!search) continue
    const known = found.get(model.name)
    if (known && textOf(known.search) !== textOf(search))
      throw new Error(
        `${model.name} has one index for its search, and two servers search it in ${textOf(known.search)}, and in ${textOf(search)}. Write the same fields and language in both schema classes.`,
      )
    found.set(model.name, { model, search })
  }
  return [...found.values()].sort((a, b) => (a.model.name < b.model.name ? -1 : 1))
}

const textOf = ({ columns, language }: SearchMeta): string =>
  `${columns.map(({ name }) => name).join(', ')} (${language})`

/** How the first line of a migration begins that makes the indexes. */
export const searchMark = '-- prismapi search '

/** The migration that makes the indexes anew. Its first line tells what it was made for. */
export function searchMigration(searched: readonly SearchedModel[], provider: Provider): string {
  const statements = searched.flatMap(provider === 'postgresql' ? postgresIndexes : sqliteIndex)
  const mark = createHash('sha256').update(statements.join('\n')).digest('base64url').slice(0, 22)
  const hint = provider === 'sqlite' ? [externalTables(searched)] : []
  return `${[searchMark + mark, ...hint, ...statements].join('\n\n')}\n`
}

/** Prisma drops tables that its schema does not have, and knows these only one by one. */
function externalTables(searched: readonly SearchedModel[]): string {
  const own = ['', '_config', '_data', '_docsize', '_idx']
  const names = searched.flatMap(({ search: { index } }) => own.map((each) => JSON.stringify(index + each)))
  return [
    '-- For prisma migrate dev to leave these tables alone, write into defineConfig of prisma.config.ts:',
    `-- experimental: { externalTables: true }, tables: { external: [${names.join(', ')}] }`,
  ].join('\n')
}

/** The names of the indexes of a search: on PostgreSQL one of all fields, and one of each, by which rows are ranked. */
export const indexNames = ({ columns, index }: SearchMeta, provider: Provider): readonly string[] =>
  provider === 'postgresql' && columns.length > 1 ? [index, ...columns.map((_, i) => `${index}_${i + 1}`)] : [index]

/** Indexes of the same expressions that a search compares. */
function postgresIndexes({ model, search }: SearchedModel): readonly string[] {
  const { columns, language } = search
  const texts = columns.map(
    ({ column }) => `to_tsvector(${literal(language)}::regconfig, coalesce(${quoted(column)}, ''))`,
  )
  return indexNames(search, 'postgresql').flatMap((index, i) => [
    `DROP INDEX IF EXISTS ${quotedTable({ table: index, dbSchema: model.dbSchema })};`,
    `CREATE INDEX ${quoted(index)} ON ${quotedTable(model)} USING GIN ((${i === 0 ? texts.join(' || ') : texts[i - 1]}));`,
  ])
}

/** A table of words beside the one that is searched, and the triggers that keep it. Texts stand in one of them only. */
function sqliteIndex({ model, search }: SearchedModel): readonly string[] {
  const { columns, language, index } = search
  const { table } = model
  const names = columns.map(({ column }) => quoted(column)).join(', ')
  const of = (row: 'OLD' | 'NEW') =>
    [`${row}.rowid`, ...columns.map(({ column }) => `${row}.${quoted(column)}`)].join(', ')
  const add = `  INSERT INTO ${quoted(index)} (rowid, ${names}) VALUES (${of('NEW')});`
  const remove = `  INSERT INTO ${quoted(index)} (${quoted(index)}, rowid, ${names}) VALUES ('delete', ${of('OLD')});`
  const differs = [
    'OLD.rowid IS NOT NEW.rowid',
    ...columns.map(({ column }) => `OLD.${quoted(column)} IS NOT NEW.${quoted(column)}`),
  ]
  const trigger = (event: string, body: string, when = '') =>
    [
      `DROP TRIGGER IF EXISTS ${quoted(`prismapi_search_${table}_${event}`)};`,
      `CREATE TRIGGER ${quoted(`prismapi_search_${table}_${event}`)} AFTER ${event.toUpperCase()} ON ${quoted(table)}${when}`,
      'BEGIN',
      body,
      'END;',
    ].join('\n')
  const words = language === 'english' ? 'porter unicode61 remove_diacritics 2' : 'unicode61 remove_diacritics 2'
  return [
    `DROP TABLE IF EXISTS ${quoted(index)};`,
    `CREATE VIRTUAL TABLE ${quoted(index)} USING fts5(${names}, content=${quoted(table)}, content_rowid=rowid, tokenize='${words}');`,
    `INSERT INTO ${quoted(index)} (${quoted(index)}) VALUES ('rebuild');`,
    trigger('insert', add),
    trigger('update', `${remove}\n${add}`, ` WHEN ${differs.join(' OR ')}`),
    trigger('delete', remove),
  ]
}
