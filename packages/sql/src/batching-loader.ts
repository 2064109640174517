import { keyText, type LookUpPlan, lookUpAsRows, type RowsPlan, sharedOf } from '@prismapi/core/database/reader'
import { all, among } from '@prismapi/jsonapi/condition/build'
import type { Compare } from '@prismapi/jsonapi/condition/condition'
import { JsonApiError } from '@prismapi/jsonapi/document/error'
import { memo } from '@prismapi/jsonapi/model/memo'
import type { Row } from '@prismapi/jsonapi/model/where'

interface Waiting {
  readonly plan: LookUpPlan
  readonly value: unknown
  readonly resolve: (row: Row | null | Promise<Row | null>) => void
  readonly reject: (error: unknown) => void
}

type Read = (plan: RowsPlan) => Promise<readonly Row[]>

/**
 * To send fewer queries, joins look-ups by one column that start in one turn of the
 * event loop and differ only in the key value. A row goes to the look-up of its key alone.
 *
 * @param textOf the same for plans that ask for the same
 */
export function batchingLoader(read: Read, textOf: (plan: RowsPlan) => string) {
  const open = new Map<string, Map<string, Waiting>>()
  const groupOf = (text: string): Map<string, Waiting> => {
    const known = open.get(text)
    if (known) return known
    const group = new Map<string, Waiting>()
    open.set(text, group)
    process.nextTick(() => {
      open.delete(text)
      void answer([...group.values()], read)
    })
    return group
  }
  return (plan: LookUpPlan): Promise<Row | null> => {
    const [{ column, value }, ...others] = plan.key as readonly [Compare, ...Compare[]]
    const text = others.length === 0 && plan.columns.includes(column.name) ? textOfRest(plan, textOf) : null
    if (text === null) return readAlone(read, plan)
    const key = keyText([value])
    // Two requests do not share a row, which hooks may look into.
    for (let nth = 0; ; nth++) {
      const group = groupOf(`${nth} ${column.name}\n${text}`)
      if (!group.has(key)) return new Promise((resolve, reject) => group.set(key, { plan, value, resolve, reject }))
    }
  }
}

async function readAlone(read: Read, plan: LookUpPlan): Promise<Row | null> {
  const [row = null] = await read(lookUpAsRows(plan))
  return row
}

// What is not known in SQL has no text, and is not SQL's to read.
function textOfRest(plan: LookUpPlan, textOf: (plan: RowsPlan) => string): string | null {
  const shared = sharedOf(plan)
  if (shared) return formText(shared.form)
  try {
    return textOf({ ...lookUpAsRows(plan), where: plan.rest })
  } catch {
    return null
  }
}

let forms = 0
const formText = memo((_: object) => `form ${forms++}`)

async function answer(waiting: readonly Waiting[], read: Read): Promise<void> {
  const byKey = waiting.length > 1 ? await readTogether(waiting, read).catch((error: unknown) => error) : null
  for (const { plan, value, resolve, reject } of waiting) {
    const row = byKey instanceof Map ? byKey.get(keyText([value])) : undefined
    if (row) resolve(row)
    // A database that is away is so for all of them. What one value makes fail is that one's.
    else if (byKey instanceof JsonApiError && byKey.status === 503) reject(byKey)
    // There may be a row all the same: a column can take values for equal that are other texts.
    else resolve(readAlone(read, plan))
  }
}

async function readTogether(waiting: readonly Waiting[], read: Read): Promise<Map<string, Row>> {
  const [{ plan }] = waiting as readonly [Waiting]
  const [{ column }] = plan.key as readonly [Compare]
  const keys = among(
    [column],
    waiting.map(({ value }) => [value]),
  )
  const rows = await read({ ...lookUpAsRows(plan), where: all(keys, plan.rest), take: null })
  return new Map(rows.map((row) => [keyText([row[column.name]]), row]))
}
