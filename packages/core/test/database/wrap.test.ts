import { everything } from '@prismapi/jsonapi/condition/build'
import { describe, expect, test } from 'vitest'
import { type Readings, readerOf } from '../../src/database/reader.ts'
import type { AfterCommit, Delegates, ReadingTransaction, RowWriter, Store } from '../../src/database/store.ts'
import { unknownSizes } from '../../src/database/tables.ts'
import { wrap, wrapStore } from '../../src/database/wrap.ts'

const one = { kind: 'count', model: 'Post', where: everything } as const
const readerSaying = (answer: number) => readerOf({ count: () => answer } as unknown as Readings)

describe('a reader with something around it', () => {
  test('answers as before, and at once where it did so', () => {
    const seen: string[] = []
    const reader = wrap(readerSaying(3), ({ kind, model }, read) => {
      seen.push(`${kind} ${model}`)
      return read()
    })
    expect(reader.read(one)).toBe(3)
    expect(seen).toEqual(['count Post'])
  })

  test('may ask another one', async () => {
    const other = readerSaying(4)
    const failing = wrap(readerSaying(3), () => Promise.reject(new Error('away')))
    const reader = wrap(failing, async (plan, read) => {
      try {
        return await read()
      } catch {
        return other.read(plan)
      }
    })
    expect(await reader.read(one)).toBe(4)
  })
})

describe('a store with something around it', () => {
  function journal() {
    const seen: string[] = []
    const late: AfterCommit[] = []
    const transaction: ReadingTransaction = {
      client: {} as Delegates,
      asSystem: () => ({}) as Delegates,
      asFramework: (work) => work({} as RowWriter),
      reader: readerSaying(2),
      writer: {} as RowWriter,
      ask: async () => [],
      joinRows: {} as ReadingTransaction['joinRows'],
      afterCommit: (work) => void late.push(work),
      signed: (_signature, work) => work(),
    }
    const store: Store = {
      reader: readerSaying(1),
      write: (work) => work(transaction),
      lock: { tryRun: (_key, work) => work(), enqueue: (_key, work) => work() },
      committed: () => null,
      threads: null,
      tableSizes: unknownSizes,
      isWithin: false,
      single: {
        reasonAgainstInsert: null,
        returnsRows: () => true,
        hasForeignKey: () => true,
        insert: async () => ({ id: 1 }),
        update: async () => ({}),
        remove: async () => true,
        decline: () => {},
      },
    }
    return { seen, late, store }
  }

  test('does it around reads and writes, in transactions too', async () => {
    const { seen, store } = journal()
    const around = <T>(name: string, work: () => T): T => {
      seen.push(name)
      return work()
    }
    const wrapped = wrapStore(store, {
      read: (plan, read) => around(`read ${plan.model}`, read),
      write: (write, model) => around(`write ${model}`, write),
      attempt: (work) => around('attempt', work),
    })
    expect(wrapped.reader.read(one)).toBe(1)
    expect(await wrapped.write(async ({ reader }) => reader.read(one))).toBe(2)
    expect(await wrapped.single?.insert({ model: 'Tag', data: {}, returning: [] })).toEqual({ id: 1 })
    expect(seen).toEqual(['read Post', 'write undefined', 'attempt', 'read Post', 'write Tag'])
  })

  test('puts other work in the place of that for after the commit', async () => {
    const { seen, late, store } = journal()
    const wrapped = wrapStore(store, {
      afterCommit: (work) => async () => {
        await work()
        seen.push('done')
      },
    })
    await wrapped.write(async ({ afterCommit }) => afterCommit(() => void seen.push('of a transaction')))
    for (const work of late) await work()
    expect(seen).toEqual(['of a transaction', 'done'])
  })
})
