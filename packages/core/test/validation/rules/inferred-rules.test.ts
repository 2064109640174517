import type { ColumnMeta } from '@prismapi/jsonapi/model/meta'
import type { Attribute, ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { describe, expect, test } from 'vitest'
import type { Schema } from 'yup'
import { schemaOfModel } from '../../../../../test/support/schemas.ts'
import { hasRule, inferRules, needsId } from '../../../src/validation/rules/infer-rules.ts'

const posts = schemaOfModel('Post')
const seats = schemaOfModel('Seat')
const generated = (schema: ResourceSchema): ResourceSchema => ({
  ...schema,
  id: { ...schema.id, clientGenerated: true },
})
const attribute = (name: string, more: Partial<Attribute> = {}): Attribute => ({
  ...(posts.attributes.get(name) as Attribute),
  ...more,
})
const accepts = (schema: ResourceSchema, field: string, value: unknown, isCreating = true): boolean =>
  (inferRules(schema, isCreating)[field] as Schema).isValidSync(value, { strict: true })
/** Does the rule of a field accept that it is not sent. */
const mayBeAbsent = (schema: ResourceSchema, field: string, isCreating = true): boolean =>
  accepts(schema, field, undefined, isCreating)
/** Each test of a field that it is unique. */
const uniqueWith = (schema: ResourceSchema, field: string): readonly unknown[] =>
  (inferRules(schema, true)[field] as Schema).tests.filter((each) => each.OPTIONS?.name === 'unique').map(() => field)

describe('rules are inferred', () => {
  test('for what clients write, and no id where the database gives it', () => {
    const readOnly = attribute('rank', { readOnly: true })
    const schema = {
      ...posts,
      attributes: new Map([
        ['slug', attribute('slug')],
        ['rank', readOnly],
      ]),
      relations: new Map(
        [...posts.relations].map(([name, each]) => [name, { ...each, readOnly: name === 'tags' }] as const),
      ) as ResourceSchema['relations'],
    }
    expect(Object.keys(inferRules(schema, true))).toEqual(['slug', 'author', 'comments', 'seats'])
    expect(Object.keys(inferRules(schema, false))).toEqual(['slug', 'author', 'comments', 'seats'])
    expect(inferRules(schema, true)).toBe(inferRules(schema, true))
    expect(Object.isFrozen(inferRules(schema, true))).toBe(true)
  })

  test('with an id where clients give it, which is new rows alone', () => {
    expect(Object.keys(inferRules(generated(seats), true))).toContain('id')
    expect(Object.keys(inferRules(generated(seats), false))).not.toContain('id')
    expect([mayBeAbsent(generated(seats), 'id'), mayBeAbsent(generated(posts), 'id')]).toEqual([false, true])
  })

  test('an id is needed where neither a default nor a relation gives it', () => {
    const owned = { ...(seats.model.columns.row as ColumnMeta), isForeignKey: true }
    const columns = { ...seats.model.columns, row: owned }
    const needing = [seats, posts, { ...seats, model: { ...seats.model, columns } }, schemaOfModel('Video')].map(
      needsId,
    )
    expect(needing).toEqual([true, false, false, false])
  })

  test('of attributes that are no part of an id which clients give', () => {
    const place = { ...attribute('slug'), name: 'place', column: seats.model.columns.place as ColumnMeta }
    expect([
      hasRule({ ...seats, id: { ...seats.id, clientGenerated: false } }, place),
      hasRule(generated(seats), place),
      hasRule(generated(posts), attribute('slug')),
    ]).toEqual([true, false, true])
    expect(hasRule(posts, attribute('slug', { readOnly: true }))).toBe(false)
  })

  test('a value that is never shown is asked for once', () => {
    const schema = {
      ...posts,
      attributes: new Map([['token', attribute('token', { isRequired: true, writeOnly: true })]]),
    }
    expect([mayBeAbsent(schema, 'token', true), mayBeAbsent(schema, 'token', false)]).toEqual([false, true])
    const shown = { ...posts, attributes: new Map([['slug', attribute('slug', { isRequired: true })]]) }
    expect([mayBeAbsent(shown, 'slug', true), mayBeAbsent(shown, 'slug', false)]).toEqual([false, false])
  })

  test('of relations, whether they may be missing or lead nowhere', () => {
    const author = { ...posts.relations.get('author') } as NonNullable<ReturnType<typeof posts.relations.get>>
    const withAuthor = (more: object): ResourceSchema => ({
      ...posts,
      relations: new Map([['author', { ...author, ...more }]]) as ResourceSchema['relations'],
    })
    const required = withAuthor({ isRequired: true, isNullable: false })
    const nullable = withAuthor({ isRequired: false, isNullable: true })
    const neither = withAuthor({ isRequired: false, isNullable: false })
    expect([required, nullable, neither].map((schema) => mayBeAbsent(schema, 'author'))).toEqual([false, true, true])
    expect([required, nullable, neither].map((schema) => accepts(schema, 'author', null))).toEqual([false, true, false])
    const users = schemaOfModel('User')
    expect([accepts(users, 'profile', null), accepts(users, 'posts', null), accepts(users, 'posts', [])]).toEqual([
      true,
      false,
      true,
    ])
    expect(accepts(posts, 'tags', [{ type: 'tags', id: '1' }])).toBe(true)
  })

  test('uniques of several columns are one of the last field that has a rule', () => {
    const uniques = [['id'], ['slug'], ['title', 'authorId'], ['views', 'secret'], ['title', 'title', 'rank']]
    const schema = { ...posts, model: { ...posts.model, uniques } }
    expect(['slug', 'title', 'author', 'views', 'rank', 'status'].map((field) => uniqueWith(schema, field))).toEqual([
      ['slug'],
      [],
      ['author'],
      [],
      ['rank'],
      [],
    ])
    const readOnly = {
      ...schema,
      attributes: new Map([...posts.attributes, ['rank', attribute('rank', { readOnly: true })]]),
    }
    expect([uniqueWith(readOnly, 'title')]).toEqual([['title']])
  })
})
