import type { ModelMeta } from '@prismapi/jsonapi/model/meta'
import { Server } from 'prismapi'
import { expect, test } from 'vitest'
import { resources } from '../../../prisma/generated/resources.ts'
import { liveOptionsOf } from '../src/compile-live.ts'

class Live extends Server {
  override readonly name = 'shop'
  override readonly live: Server['live'] = true
}
class Never extends Live {
  override readonly live = { heartbeat: 0 }
}
class Quiet extends Live {
  override readonly live = { heartbeat: 2_147_484 }
}
const change = resources.models.Change as ModelMeta
const withChange = (more: Partial<ModelMeta>) => ({
  ...resources,
  models: { ...resources.models, Change: { ...change, ...more } },
})

test.each<[string, Server, Parameters<typeof liveOptionsOf>[1], string]>([
  [
    'a database that cannot log',
    new Live(),
    { ...resources, provider: 'mysql' },
    'changes can be logged on SQLite and PostgreSQL, and not on mysql. Leave it out.',
  ],
  [
    'a log that is no hidden model',
    new Live(),
    withChange({ isHidden: false as never }),
    'the Prisma schema has no model Change with /// @hidden above it. Add it, as docs/live.md shows it.',
  ],
  [
    'a log that lacks columns',
    new Live(),
    withChange({ columns: { id: change.columns.id as never } }),
    expect.stringMatching(
      /^Change lacks transaction BigInt, at DateTime, .*user String\. Add what docs\/live\.md shows\.$/,
    ),
  ],
  [
    'a log with another name in the database',
    new Live(),
    withChange({ table: 'changes' }),
    'the triggers know Change by its own names. Remove @@map and @map from the model.',
  ],
  ['an option that makes no sense', new Never(), resources, 'heartbeat is 0. Make it a number above 0.'],
  [
    'a heartbeat that no timer can wait for',
    new Quiet(),
    resources,
    'heartbeat is 2147484, and timers of Node take up to 2147483 seconds. Make it no more than that.',
  ],
])('live is refused at boot for %s', (_, server, given, problem) => {
  let message = ''
  try {
    liveOptionsOf(server, given)
  } catch (error) {
    message = (error as Error).message.replace(/^Server shop: live: /, '')
  }
  expect(message).toEqual(problem)
})
