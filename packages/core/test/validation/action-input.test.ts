import type { Row } from '@prismapi/jsonapi/model/where'
import type { ActionOperation } from '@prismapi/jsonapi/request/operation'
import { describe, expect, test } from 'vitest'
import { future, unique, whenSent } from '../../src/validation/rules/field-rules.ts'
import { dateTime, integer, string, toMany, toOne } from '../../src/validation/rules/rules.ts'
import { actionRules, validateAction } from '../../src/validation/run/validate-action.ts'
import { errorsOf, invalid, world } from './fixture.ts'

const tags: readonly Row[] = [
  { id: 1, name: 'a' },
  { id: 2, name: 'b' },
]
const { ctx, schema } = world({ tables: { Tag: tags, User: [{ id: 3, name: 'Ann' }] }, scopes: { Tag: { name: 'a' } } })
const actionOf = (rules: object) =>
  ({
    kind: 'action',
    schema: schema('Post'),
    action: { name: 'publish', rules },
    id: null,
  }) as unknown as ActionOperation

const input = async (rules: object, meta?: unknown) =>
  validateAction({ ...ctx, body: meta === undefined ? undefined : { meta }, observer: null } as never, actionOf(rules))
const errors = (rules: object, meta?: unknown) => errorsOf(input(rules, meta))

describe('the input of an action', () => {
  test('is what was sent and has a rule, frozen', async () => {
    const found = await input({ at: string(), times: integer() }, { at: 'now', other: 1 })
    expect([found, Object.isFrozen(found)]).toEqual([{ at: 'now' }, true])
    expect(await input({ at: string() })).toEqual({})
  })

  test('is refused where a rule fails, by its place in meta', async () => {
    const rules = { at: string().required(), times: integer(), 'who.name': string().required(), who: null }
    const { who: _, ...read } = rules
    expect(await errors(read, { times: 'x', who: {} })).toEqual(
      [
        invalid('/meta', 'The at field is required.', 'required', 'at'),
        invalid('/meta/times', 'The times field must be an integer.', 'integer'),
        invalid('/meta/who', 'The who.name field is required.', 'required', 'who.name'),
      ].sort((a, b) => a.source.pointer.localeCompare(b.source.pointer)),
    )
  })

  test('is an object', async () => {
    expect((await errors({}, 'x')).map(({ status }) => status)).toEqual(['400'])
  })

  test('has rows in the place of identifiers, where a rule names their model', async () => {
    const rules = { tag: toOne('Tag' as never).nullable(), users: toMany('User' as never), plain: toMany() }
    const plain = [{ type: 'tags', id: '2' }]
    expect(await input(rules, { tag: { type: 'tags', id: '1' }, users: [{ type: 'users', id: '3' }], plain })).toEqual({
      tag: tags[0],
      users: [{ id: 3, name: 'Ann' }],
      plain,
    })
    expect(await input(rules, { tag: null })).toEqual({ tag: null })
    expect(await input(rules, { users: [] })).toEqual({ users: [] })
  })

  test('names nothing that is hidden or not there', async () => {
    const rules = { tag: toOne('Tag' as never), tags: toMany('Tag' as never) }
    const hidden = { type: 'tags', id: '2' }
    const missing = (pointer: string) => expect.objectContaining({ status: '404', source: { pointer } })
    expect(
      await errors(rules, { tag: hidden, tags: [{ type: 'tags', id: '1' }, hidden, { type: 'tags', id: '9' }] }),
    ).toEqual([missing('/meta/tag'), missing('/meta/tags/1'), missing('/meta/tags/2')])
  })

  test('names resources of the type that the rule says', async () => {
    const rules = { tag: toOne('Tag' as never), tags: toMany('Tag' as never) }
    const user = { type: 'users', id: '3' }
    expect(
      await errors(rules, { tag: user, tags: [user, { type: 'nothing', id: '1' }, { type: 'tags' }, null] }),
    ).toEqual([
      invalid('/meta/tag', 'The tag field must be a to-one relationship containing tags resources.', 'toOne'),
      ...[0, 1, 2, 3].map((i) =>
        invalid(
          `/meta/tags/${i}`,
          'The tags field must be a to-many relationship containing tags resources.',
          'toMany',
        ),
      ),
    ])
  })

  test('cannot be asked to be unique', async () => {
    await expect(input({ at: string().test(unique()) }, { at: 'x' })).rejects.toThrow(
      "action('publish') of Post: unique() asks about a field that is written, and at is none. Ask the database in handle().",
    )
  })

  test('has rules of its own names alone, which are read at boot', () => {
    const { schema: posts, action } = actionOf({ at: string(), 'who.name': string() })
    const { fields, below } = actionRules(posts, action)
    expect([[...fields.keys()], below.map(({ names }) => names)]).toEqual([['at'], [['who', 'name']]])
    const { action: wrong } = actionOf({ at: 5 })
    expect(() => actionRules(posts, wrong)).toThrow("action('publish') of Post: the rule of at is no yup schema.")
  })
})

describe('a date-time in the future', () => {
  const at = (offset: number) => new Date(Date.now() + offset).toISOString()

  test('is after now', async () => {
    const rules = { at: dateTime().nullable().test(future()) }
    expect(await errors(rules, { at: at(60_000) })).toEqual([])
    expect(await errors(rules, { at: null })).toEqual([])
    expect(await errors(rules, { at: at(-60_000) })).toEqual([
      invalid('/meta/at', 'The at field must be in the future.', 'future'),
    ])
    expect(await errors(rules, { at: 'soon' })).toEqual([
      invalid('/meta/at', 'The at is not a valid ISO 8601 date and time.', 'dateTime'),
    ])
  })

  test('of what is sent, and not of what is there already', async () => {
    const rule = whenSent(future())
    const run = (sent: readonly string[], value: unknown) => {
      const options = { context: { sent: new Set(sent) } }
      return dateTime()
        .test(rule)
        .isValid(value, { strict: true, context: options.context, path: 'at' } as never)
    }
    expect(await errors({ at: dateTime().test(rule) }, { at: at(-60_000) })).toHaveLength(1)
    expect([rule.name, typeof run]).toEqual(['future', 'function'])
    expect(await dateTime().test(rule).isValid(at(-60_000), { strict: true })).toBe(false)
    expect(
      await dateTime()
        .test(whenSent({ name: 'none' } as never))
        .isValid(at(0), { strict: true }),
    ).toBe(true)
  })
})
