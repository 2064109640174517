import type { ColumnMeta, ModelMeta } from '@prismapi/jsonapi/model/meta'
import { compileId } from '@prismapi/jsonapi/schema/id'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { expect, test } from 'vitest'
import { missingId } from '../../src/kit/tested.ts'

const types = ['Int', 'BigInt', 'Float', 'Decimal', 'String', 'DateTime', 'Bytes', 'Boolean']

const missing = (...columns: readonly string[]) => {
  const meta = (type: string) => ({ name: type, type, default: null, isList: false, isEnum: false }) as ColumnMeta
  const model = { key: columns, columns: Object.fromEntries(columns.map((type) => [type, meta(type)])) } as ModelMeta
  const id = compileId(model, { provider: 'sqlite', models: {}, enums: {} }, null)
  return missingId({ id, model } as ResourceSchema)
}

test('there is an id for columns of every type', () => {
  expect(types.map((type) => missing(type))).toEqual([
    '2000000011',
    '2000000011',
    '2000000011',
    '2000000011',
    'no-such-row',
    '1971-02-03T04:05:06.000Z',
    'bm8tc3VjaC1yb3c=',
    'no-such-row',
  ])
})

test('a Decimal among several columns is a part of it', () => {
  expect(missing('Int', 'DateTime', 'Decimal')).toBe('2000000011_1971-02-03T04%3A05%3A06.000Z_2000000011')
})
