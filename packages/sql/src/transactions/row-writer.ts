import type { JoinRows } from '@prismapi/core/database/prisma/join-rows'
import type { RowWriter } from '@prismapi/core/database/row-writer'
import { relatedNotFound } from '@prismapi/jsonapi/document/errors'
import type { Resources } from '@prismapi/jsonapi/model/meta'
import type { Row } from '@prismapi/jsonapi/model/where'
import { insertQuery } from '../queries/insert-query.ts'
import { countLinksQuery, linkedQuery, linkQuery, linksAtOnce, unlinkQuery } from '../queries/link-queries.ts'
import { removeRowsQuery, updateRowsQuery } from '../queries/rows-queries.ts'
import type { StatementsIn, WritingStatements } from './statements.ts'

/** Writes rows by statements of a transaction, and what these do not know by Prisma Client. */
export function rowWriterIn(
  statements: WritingStatements,
  resources: Pick<Resources, 'emulatesRelations'>,
): (inside: StatementsIn, byPrisma: RowWriter) => RowWriter {
  const insert = statements.compiledBy(insertQuery)
  const update = statements.compiledBy(updateRowsQuery)
  const remove = statements.compiledBy(removeRowsQuery(resources), ({ most }) => most !== undefined)
  return ({ ask, run }, byPrisma) => ({
    async insert(row) {
      const { model, data, returning } = row
      const plan = { model: model.name, data, returning }
      return (await ask({ compile: insert, plan, model: model.name })) ?? byPrisma.insert(row)
    },
    update: async (change) =>
      (await run({ compile: update, plan: change, model: change.model.name })) ?? byPrisma.update(change),
    remove: async (removal) =>
      (await run({ compile: remove, plan: removal, model: removal.model.name })) ?? byPrisma.remove(removal),
  })
}

/** Changes rows of join tables by statements of a transaction, and what these do not know by Prisma Client. */
export function joinRowsIn(statements: WritingStatements): (inside: StatementsIn, byPrisma: JoinRows) => JoinRows {
  const link = statements.compiledBy(linkQuery)
  const unlink = statements.compiledBy(unlinkQuery)
  const count = statements.compiledBy(countLinksQuery)
  const linked = statements.compiledBy(linkedQuery)
  return ({ ask, run }, byPrisma) => ({
    async linked(of, onRead) {
      const model = of.model.name
      const read = (last: Row | null) => ask({ compile: linked, plan: { ...of, last }, model })
      return (await allPages(read, onRead)) ?? byPrisma.linked(of, onRead)
    },
    async link(of, targets) {
      const model = of.model.name
      for (const part of parts(targets)) {
        const plan = { ...of, targets: part }
        const made = await run({ compile: link, plan, model })
        if (made === null) return byPrisma.link(of, targets)
        if (made === part.length) continue
        // Those that were linked already are left out, and those that have gone since the document was checked.
        const there = await ask({ compile: count, plan, model })
        if (there !== null && there < part.length) throw relatedNotFound('/data')
      }
    },
    async unlink(of, targets) {
      for (const part of parts(targets)) {
        const ended = await run({ compile: unlink, plan: { ...of, targets: part }, model: of.model.name })
        if (ended === null) return byPrisma.unlink(of, targets)
      }
    },
  })
}

/** SQLite carries a statement about so many out in a few milliseconds. */
const targetsAtOnce = 1000

function* parts(targets: readonly Row[]): Generator<readonly Row[]> {
  for (let i = 0; i < targets.length; i += targetsAtOnce) yield targets.slice(i, i + targetsAtOnce)
}

async function allPages(
  read: (last: Row | null) => Promise<readonly Row[] | null>,
  onRead: ((links: number) => void) | undefined,
): Promise<readonly Row[] | null> {
  const found: Row[] = []
  for (let last: Row | null = null; ; last = found.at(-1) ?? null) {
    const page: readonly Row[] | null = await read(last)
    if (page === null) return null
    onRead?.(page.length)
    for (const row of page) found.push(row)
    if (page.length < linksAtOnce) return found
  }
}
