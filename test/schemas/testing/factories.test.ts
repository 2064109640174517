import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { factories, identifierOf } from '@prismapi/testing'
import type { Resources } from 'prismapi'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databases, type FixtureDatabase } from '../../support/any-schema/databases.ts'
import { schemaText } from '../../support/any-schema/fixtures.ts'
import { type Generated, generate, generateIn } from '../../support/any-schema/generate.ts'

// Factories of schemas that nobody wrote for them, against a database that refuses what does not fit.

const folder = mkdtempSync(path.join(tmpdir(), 'prismapi-factories-'))
afterAll(() => rmSync(folder, { recursive: true }))

type Row = Readonly<Record<string, unknown>>

/** Nobody registered these models. */
interface AnyFactory {
  create(data?: object): Promise<Row>
  createMany(count: number, data?: object): Promise<readonly Row[]>
  make(data?: object): Promise<Row>
  identified(row: Row): Row
}

const useFixture = (name: string) => useGenerated((folder) => generate(name, 'sqlite', folder))

function useGenerated(make: (folder: string) => Promise<Generated>) {
  let generated: Generated
  let database: FixtureDatabase
  beforeAll(async () => {
    generated = await make(mkdtempSync(path.join(folder, 'schema-')))
    database = await databases.sqlite(generated)
  })
  afterAll(() => database?.close())
  return {
    /** Factories that nobody else draws the uniques of. */
    factories: (seed: number) => {
      const { writer } = database.clients as { readonly writer: object }
      return factories(generated.resources, writer, { seed }) as unknown as Readonly<Record<string, AnyFactory>>
    },
    get resources(): Resources {
      return generated.resources
    },
  }
}

const namesOf = ({ models }: Resources): string[] =>
  Object.values(models)
    .filter(({ operations }) => operations.includes('create'))
    .map(({ name }) => name.charAt(0).toLowerCase() + name.slice(1))

// Its key is an enum of three values, which are soon all taken.
const only = new Set(['border'])

describe.each(['ids', 'tenants', 'values'])('of the schema %s', (name) => {
  const fixture = useFixture(name)

  test('every model has a row, and a second one beside it', async () => {
    const all = fixture.factories(1)
    for (const model of namesOf(fixture.resources)) {
      const count = only.has(model) ? 1 : 2
      expect(await all[model]?.createMany(count), model).toHaveLength(count)
    }
  })
})

describe('keys of several columns', () => {
  const fixture = useFixture('tenants')

  test('are shared by the rows that one row needs', async () => {
    const { project, tenant } = fixture.factories(2)
    const own = (await project?.create()) as Row
    expect(own.tenantId).toEqual(expect.any(String))
    const home = (await tenant?.create({ id: 'home' })) as Row
    const given = (await project?.create({ tenant: home })) as Row
    expect(given).toMatchObject({ tenantId: 'home', leadNo: expect.any(Number) })
  })

  test('are the id of the resource', async () => {
    const { invoice, tenant } = fixture.factories(3)
    const row = await invoice?.create({ tenant: await tenant?.create({ id: 'a_b' }), year: 2025, serial: 1 })
    expect(identifierOf(row as never)).toEqual({ type: 'invoices', id: 'a%5Fb_2025_1' })
  })
})

describe('what is unique', () => {
  // The head of a fixture, with other models.
  const [head] = schemaText('values', 'sqlite').split('// Every kind of value')
  const fixture = useGenerated((folder) => generateIn(path.join(folder, 'uniques'), head + uniques))

  test('is so by a column with a default, where no other column could tell rows apart', async () => {
    const { berth, code, ship } = fixture.factories(1)
    const home = (await berth?.create()) as Row
    const ships = (await ship?.createMany(3, { berth: home })) as readonly Row[]
    expect(new Set(ships.map(({ slot }) => slot)).size).toBe(3)
    expect(new Set((await code?.createMany(2))?.map(({ number }) => number)).size).toBe(2)
  })

  test('leaves a default alone, where a row of its own or null tells rows apart', async () => {
    const { ship, flag } = fixture.factories(2)
    expect((await ship?.createMany(2))?.map(({ slot }) => slot)).toEqual([0, 0])
    expect((await ship?.make())?.slot).toBeUndefined()
    expect((await flag?.createMany(2))?.map(({ place }) => place)).toEqual([0, 0])
  })

  test('prefers a column of many values', async () => {
    const { berth, stay } = fixture.factories(3)
    const home = (await berth?.create({ dock: 3 })) as Row
    expect(await stay?.createMany(5, { berth: home })).toHaveLength(5)
  })

  test('says so, where there are no more values', async () => {
    const { badge } = fixture.factories(4)
    await badge?.createMany(3)
    await expect(badge?.create()).rejects.toThrow(
      new Error('Badge.kind: it is unique, and the values of Kind are few: A, B, C. Give the row one that is free.'),
    )
  })

  test('and a relation to its own model begins with a row that leads to itself', async () => {
    const { node } = fixture.factories(5)
    await expect(node?.create()).rejects.toThrow(
      new Error(
        'Node.parent: the row it needs is another Node, and the first one can only lead to itself. ' +
          'Give that one id and parentId of the same value, and others a row to lead to.',
      ),
    )
    const root = (await node?.create({ id: 7, parentId: 7 })) as Row
    expect(await node?.create({ parent: root })).toMatchObject({ parentId: 7 })
  })
})

const uniques = `
enum Kind {
  A
  B
  C
}

model Berth {
  dock  Int
  lane  Kind
  ships Ship[]
  stays Stay[]

  @@id([dock, lane])
}

model Ship {
  id    Int   @id @default(autoincrement())
  slot  Int   @default(0)
  dock  Int
  lane  Kind
  berth Berth @relation(fields: [dock, lane], references: [dock, lane])

  @@unique([dock, lane, slot])
}

model Stay {
  id    Int   @id @default(autoincrement())
  kind  Kind
  night Int   @default(1)
  dock  Int
  lane  Kind
  berth Berth @relation(fields: [dock, lane], references: [dock, lane])

  @@unique([dock, lane, kind, night])
}

model Code {
  id     Int @id @default(autoincrement())
  number Int @unique @default(7)
}

model Flag {
  id    Int     @id @default(autoincrement())
  port  String?
  place Int     @default(0)

  @@unique([port, place])
}

model Badge {
  id   Int  @id @default(autoincrement())
  kind Kind @unique
}

model Node {
  id       Int    @id @default(autoincrement())
  parentId Int
  parent   Node   @relation("tree", fields: [parentId], references: [id])
  children Node[] @relation("tree")
}
`

test('rows that need each other for ever are refused, with the field to give', async () => {
  const needs = (name: string, other: string) => ({
    name,
    operations: ['create'],
    key: ['id'],
    uniques: [['id']],
    columns: {
      id: { name: 'id', type: 'Int', default: 'autoincrement' },
      otherId: { name: 'otherId', type: 'Int', isForeignKey: true, isNullable: false, default: null },
    },
    relations: {
      other: {
        name: 'other',
        model: other,
        foreignKey: { columns: ['otherId'], references: ['id'] },
        isNullable: false,
      },
    },
  })
  const models = { Egg: needs('Egg', 'Hen'), Hen: needs('Hen', 'Egg') }
  const { egg } = factories({ provider: 'sqlite', enums: {}, models } as never, {}) as never as { egg: AnyFactory }
  await expect(egg.create()).rejects.toThrow(
    'Egg.other: the Hen it needs would need another Egg. Give it a row to lead to.',
  )
})
