import { all, among, columnsOf, equalsEach, isEverything, related, relationOf } from '../condition/build.ts'
import type { Condition } from '../condition/condition.ts'
import { scopeOf } from '../condition/scopes.ts'
import { keyText } from '../database/keys.ts'
import type { Transaction } from '../database/store.ts'
import type { Awaitable } from '../model/awaitable.ts'
import type { Row } from '../model/where.ts'
import { chunked } from '../read/chunks.ts'
import { linksOf, planLevel, seenBy } from '../read/plan.ts'
import { allColumns } from '../read/resource.ts'
import type { ManyThrough, Pivot } from '../schema/relation-kinds.ts'
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
  const own = keysOf(link.from, row)
  const { schema } = writing
  const known = await linksTo(transaction, schema, { link, own: all(...equalsEach(schema.model, own)), targets })
  const linked = new Set(known.map((each) => farKey(link, each)))
  for (const target of targets) {
    const columns = { ...own, ...keysOf(link.to, target) }
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
  const own = linksOf(relation, row, seenBy(subject.ctx))
  for (const each of await linksTo(transaction, writing.schema, { link, own, targets }))
    await removeRow(transaction, writing, each)
}

/** Makes the targets the whole of what can be seen of the links. */
export async function replacePivots(transaction: Transaction, subject: Subject, change: Change): Promise<void> {
  const { relation, row, targets } = change
  const { link } = relation
  const writing = linkSubject(subject, link)
  const wanted = new Set(targets.map((target) => farKey(link, keysOf(link.to, target))))
  const scope = scopeOf(subject.ctx.served.scopes, relation.model)
  const far = relationOf(writing.schema.model, link.to.name)
  const where = all(linksOf(relation, row, seenBy(subject.ctx)), isEverything(scope) ? null : related(far, 'is', scope))
  for (const each of await readLinks(transaction, writing.schema, where))
    if (!wanted.has(farKey(link, each))) await removeRow(transaction, writing, each)
  await addPivots(transaction, subject, change)
}

const linkSubject = ({ ctx }: Subject, link: Pivot) => ({ ctx, schema: schemaOf(ctx.server.schemas, link.model) })

interface LinksTo {
  readonly link: Pivot
  /** The condition of the links of one row. */
  readonly own: Condition
  readonly targets: readonly Row[]
}

async function linksTo(
  transaction: Transaction,
  schema: ResourceSchema,
  { link, own, targets }: LinksTo,
): Promise<readonly Row[]> {
  const links: Row[] = []
  for (const some of chunked(targets, link.to.columns.length))
    links.push(...(await readLinks(transaction, schema, all(own, targetsWhere(schema, link, some)))))
  return links
}

const readLinks = ({ reader }: Transaction, schema: ResourceSchema, where: Condition): Awaitable<readonly Row[]> =>
  reader.read(planLevel(schema, allColumns(schema), where))

const keysOf = ({ columns, references }: Pivot['to'], row: Row): Row =>
  Object.fromEntries(columns.map((column, i) => [column, row[references[i] as string]]))

const targetsWhere = ({ model }: ResourceSchema, { to }: Pivot, targets: readonly Row[]): Condition =>
  among(
    columnsOf(model, to.columns),
    targets.map((target) => to.references.map((column) => target[column])),
  )

const farKey = ({ to }: Pivot, columns: Row): string => keyText(to.columns.map((column) => columns[column]))
