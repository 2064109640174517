import { keysWhere, keyText } from '../database/keys.ts'
import type { Transaction } from '../database/store.ts'
import type { Awaitable } from '../model/awaitable.ts'
import { every, type Row, scopeOf, type Where } from '../model/where.ts'
import { chunked } from '../read/chunks.ts'
import { linksOf, planLevel } from '../read/plan.ts'
import { allColumns } from '../read/resource.ts'
import type { Link, ManyThrough } from '../schema/relation-kinds.ts'
import { type ResourceSchema, schemaOf } from '../schema/resource-schema.ts'
import type { Subject } from './input/subject.ts'
import { createRow, removeRow } from './write-row.ts'

// A many-to-many of people's own making is changed link by link, so that hooks on links are told of each.

interface Change {
  readonly relation: ManyThrough
  /** The row whose relation it is. */
  readonly row: Row
  readonly targets: readonly Row[]
}

/** Links the targets that are not linked yet, whether the link may be seen or not: there can be only one. */
export async function addPivots(
  transaction: Transaction,
  subject: Subject,
  { relation, row, targets }: Change,
): Promise<void> {
  const { link } = relation
  const writing = linkSubject(subject, link)
  const own = columnsOf(link.from, row)
  const all = await linksTo(transaction, writing.schema, { link, own, targets })
  const linked = new Set(all.map((each) => farKey(link, each)))
  for (const target of targets) {
    const columns = { ...own, ...columnsOf(link.to, target) }
    if (linked.has(farKey(link, columns))) continue
    linked.add(farKey(link, columns))
    await createRow(transaction, writing, { columns, input: {}, select: [] })
  }
}

/** Removes the links to the targets, of those that may be seen. */
export async function removePivots(
  transaction: Transaction,
  subject: Subject,
  { relation, row, targets }: Change,
): Promise<void> {
  if (targets.length === 0) return
  const { link } = relation
  const writing = linkSubject(subject, link)
  const own = linksOf(relation, row, subject.ctx.served.scopes)
  for (const each of await linksTo(transaction, writing.schema, { link, own, targets }))
    await removeRow(transaction, writing, each)
}

/** Makes the targets the whole of what can be seen of the links. */
export async function replacePivots(transaction: Transaction, subject: Subject, change: Change): Promise<void> {
  const { relation, row, targets } = change
  const { link } = relation
  const writing = linkSubject(subject, link)
  const { scopes } = subject.ctx.served
  const wanted = new Set(targets.map((target) => farKey(link, columnsOf(link.to, target))))
  const scope = scopeOf(scopes, relation.model)
  const isScoped = Object.keys(scope).length > 0
  const where = every(linksOf(relation, row, scopes), isScoped ? { [link.to.name]: { is: scope } } : null)
  for (const each of await readLinks(transaction, writing.schema, where))
    if (!wanted.has(farKey(link, each))) await removeRow(transaction, writing, each)
  await addPivots(transaction, subject, change)
}

const linkSubject = ({ ctx }: Subject, link: Link) => ({ ctx, schema: schemaOf(ctx.server.schemas, link.model) })

interface LinksTo {
  readonly link: Link
  /** The condition of the links of one row. */
  readonly own: Where
  readonly targets: readonly Row[]
}

async function linksTo(
  transaction: Transaction,
  schema: ResourceSchema,
  { link, own, targets }: LinksTo,
): Promise<readonly Row[]> {
  const links: Row[] = []
  for (const some of chunked(targets, link.to.columns.length))
    links.push(...(await readLinks(transaction, schema, every(own, targetsWhere(link, some)))))
  return links
}

const readLinks = ({ reader }: Transaction, schema: ResourceSchema, where: Where): Awaitable<readonly Row[]> =>
  reader.read(planLevel(schema, allColumns(schema), where))

const columnsOf = ({ columns, references }: Link['to'], row: Row): Row =>
  Object.fromEntries(columns.map((column, i) => [column, row[references[i] as string]]))

const targetsWhere = ({ to }: Link, targets: readonly Row[]): Where =>
  keysWhere(
    to.columns,
    targets.map((target) => to.references.map((column) => target[column])),
  )

const farKey = ({ to }: Link, columns: Row): string => keyText(to.columns.map((column) => columns[column]))
