import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase } from '../support/database.ts'
import { type Caller, keyOf, type Row, type Rows, rulesOf, type Table } from '../support/guard/example-rules.ts'
import { expectedOf, named, visibleTo } from '../support/guard/expected.ts'
import { type Statement, statement } from '../support/guard/statements.ts'
import { exampleGuard } from '../support/guarded.ts'
import { isNight } from '../support/night.ts'
import { inPostgres } from '../support/postgres.ts'

// Whatever is asked as the role of requests, the database does what the rules say: random statements, which the framework would
// never send, each compared with the rules row by row. Those that read no row are asked nothing about what their caller sees.

/** Transactions of one to three statements: 1,000 statements and more in the night. */
const runs = isNight ? 700 : 150

const users = { 1: 'ADMIN', 2: 'EDITOR', 3: 'MEMBER', 4: 'MEMBER' } as const
const callers: readonly Caller[] = (['v1', 'v2'] as const).flatMap((server) => [
  { server, user: null },
  ...Object.entries(users).map(([id, role]) => ({ server, user: { id: Number(id), role } })),
])

let database: Awaited<ReturnType<typeof openTestDatabase>>
let client: pg.Client

beforeAll(async () => {
  database = await openTestDatabase()
  const [{ name } = { name: '' }] = await database.writer.$queryRawUnsafe<{ name: string }[]>(
    'SELECT current_database() AS name',
  )
  const url = new URL(process.env.TEST_POSTGRES_URL || 'postgresql://postgres@127.0.0.1:5432/postgres')
  url.pathname = `/${name}`
  const guard = await exampleGuard(database)
  await inPostgres(url.href, (each) => each.query(guard))
  client = new pg.Client(url.href)
  await client.connect()
  // Rows that the seed has not: a post in the bin, and a video that is nobody's.
  await client.query(`UPDATE "Post" SET "deletedAt" = now() WHERE "id" IN (7, 8)`)
  await client.query(
    `UPDATE "Video" SET "ownerId" = NULL WHERE "id" IN (SELECT "id" FROM "Video" ORDER BY "id" LIMIT 2)`,
  )
})

afterAll(async () => {
  await client?.end()
  await database?.close()
})

const tables = ['User', 'Profile', 'Post', 'Tag', 'Video', 'Comment', '_PostToTag', '_TagToVideo'] as const

/** All rows, whoever sees them, each with its place: a row that was written has another one. */
async function allRows(): Promise<{ readonly rows: Rows; readonly places: ReadonlyMap<string, string> }> {
  const places = new Map<string, string>()
  const found = []
  for (const table of tables) {
    const { rows } = await client.query(`SELECT ctid::text AS place, to_jsonb(t) AS row FROM "${table}" t`)
    for (const { place, row } of rows) places.set(named(table, row), place)
    found.push([table, new Map(rows.map(({ row }) => [keyOf(row), row as Row]))] as const)
  }
  return { rows: Object.fromEntries(found) as unknown as Rows, places }
}

const asGuarded = ({ server, user }: Caller) =>
  client.query(`SELECT set_config('role', 'prismapi_guarded', true), set_config('prismapi.caller', $1, true)`, [
    JSON.stringify({ server, user }),
  ])

async function visibleRows(caller: Caller): Promise<ReadonlySet<string>> {
  await asGuarded(caller)
  const seen = new Set<string>()
  for (const table of tables)
    for (const { row } of (await client.query(`SELECT to_jsonb(t) AS row FROM "${table}" t`)).rows)
      seen.add(named(table, row))
  await client.query('RESET ROLE')
  return seen
}

const everyRow = (rows: Rows): readonly (readonly [Table, Row])[] =>
  tables.flatMap((table) => [...rows[table].values()].map((row) => [table, row] as const))

/** Asks the statement as the role of requests: the SQLSTATE of what it is refused with, or null. */
async function ask({ sql }: Statement, caller: Caller): Promise<string | null> {
  await asGuarded(caller)
  try {
    await client.query(sql)
    await client.query('RESET ROLE')
    return null
  } catch (error) {
    return String((error as { code?: string }).code)
  }
}

/** What a statement would leave, if nothing refused it. */
async function unguarded({ sql }: Statement, before: Rows): Promise<Rows> {
  await client.query('SAVEPOINT unguarded')
  try {
    await client.query(sql)
    return (await allRows()).rows
  } catch {
    return before
  } finally {
    await client.query('ROLLBACK TO unguarded')
    await client.query('RELEASE unguarded')
  }
}

async function compare(caller: Caller, statements: readonly Statement[]): Promise<void> {
  const rules = rulesOf(caller)
  const written = { rows: new Set<string>(), freely: new Set<string>() }
  for (const each of statements) {
    const { rows: before, places } = await allRows()
    const after = await unguarded(each, before)
    const expected = expectedOf(each, { caller, before, written, after })
    const code = await ask(each, caller)
    if (code !== null) {
      // What constraints refuse has changed nothing, whoever asked.
      if (!code.startsWith('23')) expect({ refused: code }).toEqual({ refused: expected === null ? '42501' : null })
      return
    }
    const { rows: left, places: now } = await allRows()
    // What goes along by a foreign key goes by the database's word, and not by that of its caller.
    const isOfTable = (name: string) => name.startsWith(`${each.table} `)
    const touched = [...places.keys()].filter((name) => isOfTable(name) && now.get(name) !== places.get(name))
    expect({
      missing: difference(expected?.touched ?? [], touched),
      beyond: difference(touched, expected?.touched ?? []),
    }).toEqual({
      missing: [],
      beyond: [],
    })
    expect(expected).not.toBeNull()
    note(each, { before, left, rules, written, touched: new Set(touched) })
    const sees = visibleTo({ caller, before: left, written })
    const expectedly = everyRow(left).flatMap(([table, row]) => (sees(table, row) ? [named(table, row)] : []))
    const visible = await visibleRows(caller)
    expect({ hidden: difference(expectedly, visible), shown: difference(visible, expectedly) }).toEqual({
      hidden: [],
      shown: [],
    })
  }
}

const difference = (some: Iterable<string>, others: Iterable<string>): readonly string[] => {
  const left = new Set(others)
  return [...some].filter((each) => !left.has(each))
}

interface Noted {
  readonly before: Rows
  readonly left: Rows
  readonly rules: ReturnType<typeof rulesOf>
  readonly written: { readonly rows: Set<string>; readonly freely: Set<string> }
  readonly touched: ReadonlySet<string>
}

/** What the transaction has written now; and what it made, or was free to change, whose links are its own. */
function note({ table }: Statement, { before, left, rules, written, touched }: Noted): void {
  for (const [key, row] of left[table]) {
    const name = named(table, row)
    const was = before[table].get(key)
    if (was && !touched.has(name)) continue
    written.rows.add(name)
    if (!was || rules.mayUpdate(table, was)) written.freely.add(name)
  }
}

test(`random statements by the role of requests change and show what the rules say`, async () => {
  let asked = 0
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...callers),
      fc.array(statement, { minLength: 1, maxLength: 3 }),
      async (caller, statements) => {
        asked += statements.length
        await client.query('BEGIN')
        try {
          await compare(caller, statements)
        } finally {
          await client.query('ROLLBACK')
        }
      },
    ),
    { numRuns: runs },
  )
  if (isNight) expect(asked).toBeGreaterThan(1000)
})

test('who names no caller changes nothing, and sees nothing', async () => {
  await fc.assert(
    fc.asyncProperty(statement, async (each) => {
      await client.query('BEGIN')
      try {
        const { places } = await allRows()
        await client.query(`SELECT set_config('role', 'prismapi_guarded', true)`)
        for (const table of tables) expect((await client.query(`SELECT FROM "${table}"`)).rowCount).toBe(0)
        try {
          await client.query(each.sql)
        } catch {
          return
        }
        await client.query('RESET ROLE')
        expect((await allRows()).places).toEqual(places)
      } finally {
        await client.query('ROLLBACK')
      }
    }),
    { numRuns: runs / 5 },
  )
})
