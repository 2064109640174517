import { JsonApiError } from '../../document/error.ts'
import { every, type Row } from '../../model/where.ts'
import type { LevelPlan, LookUp } from '../reader.ts'
import { keysWhere, keyText } from '../resource.ts'

/** A plan that looks one row up. */
export type LookUpPlan = LevelPlan & { readonly lookUp: LookUp }

interface Waiting {
  readonly plan: LookUpPlan
  readonly value: unknown
  readonly resolve: (rows: readonly Row[] | Promise<readonly Row[]>) => void
  readonly reject: (error: unknown) => void
}

type Read = (plan: LevelPlan) => Promise<readonly Row[]>

/**
 * Makes one query of the look-ups by one column that begin in the same turn of the event loop and ask for the same otherwise:
 * the same columns under the same condition, to the last value. A row goes to whom asked for its key, and to nobody else.
 *
 * @param textOf the same for plans that ask for the same
 */
export function gatherLookUps(read: Read, textOf: (plan: LevelPlan) => string) {
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
  return (plan: LookUpPlan): Promise<readonly Row[]> => {
    const { column, value } = plan.lookUp
    const text = textOfRest(plan, textOf)
    if (text === null) return read(plan)
    const key = keyText([value])
    // Two requests do not share a row, which hooks may look into.
    for (let nth = 0; ; nth++) {
      const group = groupOf(`${nth} ${column}\n${text}`)
      if (!group.has(key)) return new Promise((resolve, reject) => group.set(key, { plan, value, resolve, reject }))
    }
  }
}

// What is not known in SQL has no text, and is not SQL's to read.
function textOfRest(plan: LookUpPlan, textOf: (plan: LevelPlan) => string): string | null {
  try {
    return textOf({ ...plan, where: plan.lookUp.rest })
  } catch {
    return null
  }
}

async function answer(waiting: readonly Waiting[], read: Read): Promise<void> {
  const byKey = waiting.length > 1 ? await readTogether(waiting, read).catch((error: unknown) => error) : null
  for (const { plan, value, resolve, reject } of waiting) {
    const row = byKey instanceof Map ? byKey.get(keyText([value])) : undefined
    if (row) resolve([row])
    // A database that is away is so for all of them. What one value makes fail is that one's.
    else if (byKey instanceof JsonApiError && byKey.status === 503) reject(byKey)
    // There may be one all the same: a column can take values for equal that are other texts.
    else resolve(read(plan))
  }
}

async function readTogether(waiting: readonly Waiting[], read: Read): Promise<Map<string, Row>> {
  const [{ plan }] = waiting as readonly [Waiting]
  const { column, rest } = plan.lookUp
  const among = keysWhere(
    [column],
    waiting.map(({ value }) => [value]),
  )
  const rows = await read({ ...plan, where: every(among, rest), take: null })
  return new Map(rows.map((row) => [keyText([row[column]]), row]))
}
