import type { ModelMeta, Resources } from '@prismapi/jsonapi/model/meta'
import type { IdempotencyOptions } from '@prismapi/jsonapi/request/features'
import { Server } from 'prismapi'
import { describe, expect, test } from 'vitest'
import { resources as example } from '../../../../prisma/generated/resources.ts'
import { compileIdempotency } from '../../src/idempotency/compile-idempotency.ts'

const model = example.models.IdempotencyKey as ModelMeta
const withModels = (...models: readonly ModelMeta[]): Resources => ({
  ...example,
  models: Object.fromEntries(models.map((each) => [each.name, each])),
})
const shown = ({ isHidden: _, ...rest }: ModelMeta): ModelMeta => rest

function compile(own: false | Partial<IdempotencyOptions>, resources: Resources) {
  class V1 extends Server {
    override readonly name = 'v1'
    override readonly idempotency = own
  }
  return compileIdempotency(new V1(), resources)
}

describe('a server keeps answers', () => {
  test('where the Prisma schema has the model', () => {
    expect(compile({}, withModels(model))).toMatchObject({
      model: 'IdempotencyKey',
      keptSeconds: 86_400,
      leaseSeconds: 30,
    })
    expect(compile({ keptSeconds: 60 }, withModels({ ...model, name: 'IdempotencyKey' }))).toMatchObject({
      keptSeconds: 60,
    })
    expect(compile({ model: 'Key' }, withModels({ ...model, name: 'Key' }))).toMatchObject({ model: 'Key' })
  })

  test('and nowhere else: without a model, with one that is a type, or if it says so', () => {
    expect(compile({}, withModels())).toBeNull()
    expect(compile({}, withModels(shown(model)))).toBeNull()
    expect(compile(false, withModels(model))).toBeNull()
  })
})

describe('what is wrong with it is told at boot', () => {
  const { body: _, ...columns } = model.columns
  test.each([
    [
      'a model that is not there',
      { model: 'Key' },
      withModels(),
      'Server v1: idempotency: the Prisma schema has no model Key. Add it, as docs/idempotency.md shows it.',
    ],
    [
      'a model that clients see',
      { keptSeconds: 5 },
      withModels(shown(model)),
      'Server v1: idempotency: IdempotencyKey holds the answers to others, and clients would see it. Write /// @hidden above it in the Prisma schema.',
    ],
    [
      'a column that is missing',
      {},
      withModels({ ...model, columns }),
      'Server v1: idempotency: IdempotencyKey lacks body String. Add what docs/idempotency.md shows.',
    ],
    [
      'no time',
      { leaseSeconds: 0 },
      withModels(model),
      'Server v1: idempotency: leaseSeconds is 0. Make it a number of seconds above 0.',
    ],
  ])('%s', (_what, own, resources, message) => {
    expect(() => compile(own, resources)).toThrow(message)
  })
})
