import { type Caller, ends, keyOf, keys, type Row, type Rows, rulesOf, stamps, type Table } from './example-rules.ts'
import type { Statement } from './statements.ts'

/** What a transaction has written so far: the rows by table and key, and which of them their writer was free to change. */
export interface Written {
  readonly rows: ReadonlySet<string>
  readonly freely: ReadonlySet<string>
}

export const named = (table: Table, row: Row): string => `${table} ${keyOf(row)}`

/** What a statement may do to rows that are there; null where it has to be refused as a whole. */
export type Expected = { readonly touched: ReadonlySet<string> } | null

interface World {
  readonly caller: Caller
  readonly before: Rows
  readonly written: Written
  /** The rows as the statement would leave them, where that is known. */
  readonly after: Rows
}

/** What the rules of the example let a caller see. */
export function visibleTo({ caller, before, written }: Pick<World, 'caller' | 'before' | 'written'>) {
  const { sees } = rulesOf(caller)
  const seesRow = (table: Table, row: Row): boolean => {
    const both = ends[table]
    if (!both) return sees(table, row) || written.rows.has(named(table, row))
    return (['A', 'B'] as const).every((end) => {
      const other = before[both[end]].get(String(row[end]))
      return other !== undefined && seesRow(both[end], other)
    })
  }
  return seesRow
}

/** What the rules of the example make of a statement. */
export function expectedOf(statement: Statement, world: World): Expected {
  const { kind, table } = statement
  if (kind === 'insert') return insertOf(statement, world)
  const sees = visibleTo(world)
  const rows = [...world.before[table].values()].filter(
    (row) => statement.isAbout(row) && (!statement.reads || sees(table, row)),
  )
  const passing = rows.filter((row) => passes(statement, row, world))
  // MERGE refuses where the others leave a row out.
  if (kind === 'merge' && passing.length < rows.length) return null
  if (kind !== 'delete' && !passing.every((row) => mayBecome(statement, row, world))) return null
  return { touched: new Set(passing.map((row) => named(table, row))) }
}

/** Whether a row is one that the caller may change or remove at all. */
function passes({ kind, table }: Statement, row: Row, world: World): boolean {
  const { mayUpdate, mayDelete } = rulesOf(world.caller)
  const both = ends[table]
  if (both) return kind === 'delete' && mayLink(table, row, world)
  if (kind === 'delete') return mayDelete(table, row)
  return (
    mayUpdate(table, row) || (world.caller.user !== null && keys[table] !== undefined && visibleTo(world)(table, row))
  )
}

/** Who may not update a row changes its keys alone, and one of them at least. */
function mayBecome({ table, sets }: Statement, row: Row, world: World): boolean {
  const { mayUpdate } = rulesOf(world.caller)
  if (mayUpdate(table, row)) return true
  const is = world.after[table].get(keyOf(row))
  // Another fault has undone it: nothing is known of what the row would have been.
  if (is === undefined) return false
  const changed = Object.keys(row).filter((column) => JSON.stringify(row[column]) !== JSON.stringify(is[column]))
  const own = keys[table] ?? {}
  const moved = changed.filter((column) => column in own)
  const rest = changed.filter((column) => !(column in own) && !stamps[table]?.includes(column))
  const isTheirs = (column: string, id: unknown): boolean => {
    const parent = own[column] as Table
    const found = world.before[parent].get(String(id))
    return (
      id === null ||
      (found !== undefined && (mayUpdate(parent, found) || world.written.freely.has(named(parent, found))))
    )
  }
  return (
    sets.length > 0 &&
    moved.length > 0 &&
    rest.length === 0 &&
    moved.every((column) => {
      const was = row[column]
      const wasOwn = was === null || mayUpdateParent(own[column] as Table, was, world)
      return wasOwn && isTheirs(column, is[column])
    })
  )
}

function mayUpdateParent(table: Table, id: unknown, { caller, before }: World): boolean {
  const found = before[table].get(String(id))
  return found !== undefined && rulesOf(caller).mayUpdate(table, found)
}

/** Both rows are seen, and one of them is the caller's to link, or of this transaction. */
function mayLink(table: Table, row: Row, world: World): boolean {
  const both = ends[table] as { readonly A: Table; readonly B: Table }
  const { mayTag } = rulesOf(world.caller)
  const sees = visibleTo(world)
  const found = (['A', 'B'] as const).map((end) => [both[end], world.before[both[end]].get(String(row[end]))] as const)
  return (
    found.every(([end, other]) => other !== undefined && sees(end, other)) &&
    found.some(([end, other]) => other && (mayTag(end, other) || world.written.freely.has(named(end, other))))
  )
}

function insertOf(statement: Statement, world: World): Expected {
  const { table, row = {}, onConflict, reads } = statement
  const { mayCreate, mayUpdate, sees } = rulesOf(world.caller)
  const isAllowed = ends[table] ? mayLink(table, row, world) : mayCreate(table)
  if (!isAllowed) return null
  const there = [...world.before[table].values()].find(statement.isAbout)
  if (!there) return { touched: new Set() }
  const isSeen = visibleTo(world)(table, there)
  // What is told of the new row is what its caller may see, and of a row that is there no more.
  if (reads && !isSeen && !sees(table, row)) return null
  if (onConflict !== 'update') return { touched: new Set() }
  return isSeen && mayUpdate(table, there) ? { touched: new Set([named(table, there)]) } : null
}
