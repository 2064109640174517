import type { ColumnMeta, Resources } from '@prismapi/jsonapi/model/meta'
import { Decimal } from '@prismapi/jsonapi/model/prisma-values'

// Few values, so that rows and conditions meet; among them those that databases and JavaScript take differently.

const texts = ['', 'a', 'A', 'ab', 'a%b', 'a_b', '_', '\\', 'ä', 'Ä', `it's "x"`, '1', '😀']
const dates = [
  '1969-12-31T23:59:59.999Z',
  '2024-02-29T12:34:56.789Z',
  '2024-02-29T12:34:56.000Z',
  '0099-01-01T00:00:00.000Z',
]
const uuids = ['6f1c3b8e-5c1f-4f0a-9d8e-1a2b3c4d5e6f', '00000000-0000-4000-8000-000000000000']

const scalars: Readonly<Record<string, readonly unknown[]>> = {
  String: texts,
  Int: [-1, 0, 1, 2, 3, 2_147_483_647],
  BigInt: [0n, 1n, -1n, 9_007_199_254_740_993n, -9_223_372_036_854_775_808n],
  Float: [0, -1.5, 0.1, 1e21, 1e-7, 3],
  Decimal: ['0', '1.1', '-2.5', '1e-7', '123456.789', '12345678901234567000'].map((text) => new Decimal(text)),
  Boolean: [true, false],
  DateTime: dates.map((text) => new Date(text)),
  Json: [{ b: 1, a: [null, 'x'] }, [1, 2], 'text', 5, 0.5, true],
  Bytes: [new Uint8Array([]), new Uint8Array([0, 255, 10])],
}

/** Where a native type of PostgreSQL takes less than its scalar. */
const natives: Readonly<Record<string, readonly unknown[]>> = {
  Uuid: uuids,
  Inet: ['10.0.0.1', '::1'],
  Bit: ['101', '000'],
  VarBit: ['1', '10101'],
  Xml: ['<a/>', '<a>b</a>'],
  Char: ['a', 'ab  ', 'abcd'],
  VarChar: ['', 'a', 'b', '%'],
  SmallInt: [-1, 0, 1],
  Oid: [0, 1],
  Money: ['1.5', '-2'].map((text) => new Decimal(text)),
  Decimal: ['0', '1', '2', '3'].map((text) => new Decimal(text)),
  Real: [0, 0.5, -2],
}

export function poolOf(column: ColumnMeta, { enums }: Resources): readonly unknown[] {
  if (column.isEnum) return enums[column.type]?.values ?? []
  return natives[column.native?.[0] ?? ''] ?? scalars[column.type] ?? []
}
