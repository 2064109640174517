import type { Fields } from 'prismapi'
import type { Deprecation } from 'prismapi/types'
import { describe, expect, test } from 'vitest'
import {
  AnySchema,
  type ApiParts,
  blog,
  changesOf,
  diff,
  documentOf,
  edited,
  posts,
  served,
} from '../../../../test/support/api-files.ts'

const over: Deprecation = { since: '2019-01-01', sunset: '2020-01-01' }
const coming: Deprecation = { since: '2019-01-01', sunset: '2999-01-01' }

/** The summary of posts will be gone. */
const summary = (deprecation: Deprecation) =>
  posts(
    class extends AnySchema {
      override fields(): Fields {
        return [this.attribute('summary').deprecated(deprecation) as never]
      }
    },
  )

const type = (deprecated: Deprecation) =>
  posts(
    class extends AnySchema {
      override deprecated = deprecated
    },
  )

const without = edited(['summary  String?', ''])

async function compare(old: ApiParts, now: ApiParts, ...args: readonly string[]) {
  const files = { 'old.json': JSON.stringify(documentOf(old)), 'new.json': JSON.stringify(documentOf(now)) }
  return diff(files, 'old.json', 'new.json', ...args)
}

describe('what was deprecated, and is gone', () => {
  const gone = `old.json → new.json: 1 change breaks clients, 0 do not

breaking, as announced
  posts
    attribute summary: gone (its sunset was 2020-01-01)`

  test('breaks as announced once its sunset is over', async () => {
    const complained = 'error 1 change breaks clients.'
    expect(await compare(summary(over), without)).toEqual({ status: 1, said: gone, complained })
  })

  test('passes with --allow-sunset then', async () => {
    expect(await compare(summary(over), without, '--allow-sunset')).toEqual({ status: 0, said: gone, complained: '' })
  })

  test('breaks like anything else before', async () => {
    const said = `old.json → new.json: 1 change breaks clients, 0 do not

breaking
  posts
    attribute summary: gone`
    const complained = 'error 1 change breaks clients.'
    expect(await compare(summary(coming), without, '--allow-sunset')).toEqual({ status: 1, said, complained })
  })

  test.each<[string, ApiParts]>([
    ['its type', type(over)],
    ['the whole server', served({ deprecated: over })],
  ])('was announced with %s', async (_name, old) => {
    expect(await compare(old, without)).toMatchObject({ said: expect.stringContaining('its sunset was 2020-01-01') })
  })

  test('was announced where it is narrowed, too', async () => {
    const narrow = edited(['summary  String?', 'summary String @default("")'])
    expect(await compare(summary(over), narrow, '--allow-sunset')).toMatchObject({ status: 0 })
  })

  test('was not announced with what was not deprecated', async () => {
    expect(await compare(summary(over), edited(['title    String', '']), '--allow-sunset')).toMatchObject({ status: 1 })
  })
})

describe('an announcement', () => {
  test.each<[string, ApiParts, ApiParts, readonly string[]]>([
    ['of a field', {}, summary(coming), ['+ posts attribute summary: deprecated since 2019-01-01, until 2999-01-01']],
    [
      'without a sunset',
      {},
      summary({ since: '2019-01-01' }),
      ['+ posts attribute summary: deprecated since 2019-01-01'],
    ],
    [
      'of a type, and of what leads to it alone',
      {},
      type(coming),
      [
        '+ comments relationship post: deprecated since 2019-01-01, until 2999-01-01',
        '+ posts the type: deprecated since 2019-01-01, until 2999-01-01',
        '+ users relationship posts: deprecated since 2019-01-01, until 2999-01-01',
      ],
    ],
    [
      'of a server',
      {},
      served({ deprecated: coming }),
      ['+ API the server: deprecated since 2019-01-01, until 2999-01-01'],
    ],
    [
      'that is later than it was',
      summary(over),
      summary(coming),
      ['+ posts attribute summary: deprecated since 2019-01-01, until 2999-01-01'],
    ],
    [
      'that is earlier than it was, which breaks a promise',
      summary(coming),
      summary(over),
      ['- posts attribute summary: deprecated since 2019-01-01, until 2020-01-01, which was 2999-01-01'],
    ],
    ['that is taken back', summary(coming), { prisma: blog }, []],
  ])('%s', (_name, old, now, changes) => {
    expect(changesOf(old, now)).toEqual(changes)
  })
})
