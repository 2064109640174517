import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { factories } from '@prismapi/testing'
import { expect, test } from 'vitest'
import { databases } from '../../support/any-schema/databases.ts'
import { schemaText } from '../../support/any-schema/fixtures.ts'
import { generateIn } from '../../support/any-schema/generate.ts'

// PostgreSQL's own types, which refuse what has no room in them.

interface AnyFactory {
  createMany(count: number, data?: object): Promise<readonly object[]>
}

const natives = {
  short: 'VarChar(5)',
  fixed: 'Char(4)',
  uuid: 'Uuid',
  address: 'Inet',
  markup: 'Xml',
  bits: 'Bit(3)',
  someBits: 'VarBit(5)',
}
const numbers = { small: 'SmallInt', oid: 'Oid' }
const decimals = { price: 'Decimal(4, 2)', tiny: 'Decimal(1, 0)', money: 'Money' }
const moments = { day: 'Date', clock: 'Time(3)', zoned: 'Timetz(3)', whole: 'Timestamp(0)', micro: 'Timestamptz(6)' }

const columns = (type: string, all: Readonly<Record<string, string>>) =>
  Object.entries(all).map(([name, native]) => `  ${name} ${type} @db.${native}`)

const models = `
model Native {
  id Int @id @default(autoincrement())
${[...columns('String', natives), ...columns('Int', numbers), ...columns('Decimal', decimals), ...columns('DateTime', moments)].join('\n')}
  real Float @db.Real
  document Json
  bytes Bytes
  list String[]
}

model Unique {
  short String @unique @db.VarChar(20)
  uuid String @unique @db.Uuid
  day DateTime @unique @db.Date
  small Int @id @db.SmallInt
  price Decimal @unique @db.Decimal(4, 2)
}
`

test('rows fit into the types of PostgreSQL, and into its uniques', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'prismapi-factories-'))
  // The head of a fixture, with other models.
  const head = schemaText('values', 'postgresql').split('// Every kind of value')[0]
  const generated = await generateIn(path.join(folder, 'natives'), head + models)
  const database = await databases.postgresql(generated)
  try {
    const { writer } = database.clients as { readonly writer: object }
    const all = factories(generated.resources, writer) as unknown as Readonly<Record<string, AnyFactory>>
    expect(await all.native?.createMany(5)).toHaveLength(5)
    expect(await all.unique?.createMany(5)).toHaveLength(5)
  } finally {
    await database.close()
    rmSync(folder, { recursive: true })
  }
})
