import { canonical } from '@prismapi/jsonapi/condition/canonical'
import type { Condition } from '@prismapi/jsonapi/condition/condition'
import { judge } from '@prismapi/jsonapi/condition/memory'
import type { Row, Where } from '@prismapi/jsonapi/model/where'
import type { ManyThrough } from '@prismapi/jsonapi/schema/relation-kinds'
import type { Attribute, ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { asWhere, conditionIn } from '../../../../test/support/conditions.ts'
import { resources, schemaOfModel } from '../../../../test/support/schemas.ts'
import type { About, AnyPolicy, AnyRules } from '../../src/auth/policy.ts'
import { compileRules } from '../../src/auth/user-rules.ts'
import { writableFields } from '../../src/auth/writable-fields.ts'
import { abilitiesOf, contextOf } from './fixture.ts'

const posts = schemaOfModel('Post')
type Declare = (rules: AnyRules) => void
const access = (
  declare: Declare,
  schema: ResourceSchema = posts,
  methods: object = {},
  action: 'view' | 'update' = 'view',
) => compileRules({ abilities: declare, ...methods } as AnyPolicy, schema, resources, null).fieldsFor(action)

/** What is not seen of every row. */
function hidden(declare: Declare, schema: ResourceSchema = posts, methods: object = {}) {
  const found = access(declare, schema, methods)
  const said = (conditions: ReadonlyMap<string, Condition>) =>
    Object.fromEntries([...conditions].map(([name, each]) => [name, canonical(each)]))
  return found && { fields: said(found.fields), stored: said(found.stored) }
}
const nothing = 'false'
const text = (where: Where): string => canonical(conditionIn(where, 'Post', resources))

/** Everything may be seen, or changed, but for what is said. */
const allBut =
  (action: string) =>
  (...about: readonly unknown[]): Declare =>
  ({ can, cannot }) => {
    can(action)
    cannot(action, ...(about as About))
  }
const but = allBut('view')
const updating = allBut('update')

// Rules about three attributes of rows with two truths, and what the strongest of them that fits a row says.

interface Rule {
  readonly isCan: boolean
  readonly fields: readonly string[] | null
  readonly where: Row | null
}
const names = ['title', 'slug', 'views']
const three: ResourceSchema = {
  ...posts,
  attributes: new Map([...posts.attributes].filter(([name]) => names.includes(name))),
  relations: new Map(),
}
const rule: fc.Arbitrary<Rule> = fc.record({
  isCan: fc.boolean(),
  fields: fc.option(fc.subarray(names, { minLength: 1, maxLength: 2 })),
  where: fc.option(
    fc
      .record({ featured: fc.boolean(), status: fc.constantFrom('LIVE', 'DRAFT') }, { requiredKeys: [] })
      .filter((each) => Object.keys(each).length > 0),
  ),
})
const row = fc.record({ featured: fc.boolean(), status: fc.constantFrom('LIVE', 'DRAFT') })

const declaring =
  (rules: readonly Rule[]): Declare =>
  ({ can, cannot }) => {
    for (const { isCan, fields, where } of rules) {
      const args = [...(fields ? [fields] : []), ...(where ? [where] : [])] as unknown as About
      ;(isCan ? can : cannot)('view', ...args)
    }
  }

function isShown(name: string, rules: readonly Rule[], given: Row): boolean {
  const isNamed = rules.some(({ fields }) => fields?.includes(name))
  if (!isNamed && !rules.some(({ isCan, fields }) => isCan && fields)) return true
  const strongest = rules.toReversed().find(({ fields, where }) => {
    const isAbout = !fields || fields.includes(name)
    return isAbout && Object.entries(where ?? {}).every(([column, value]) => given[column] === value)
  })
  return strongest?.isCan ?? false
}

test('the strongest rule that is about a field and fits the row decides', () => {
  fc.assert(
    fc.property(fc.array(rule, { maxLength: 5 }), row, (rules, given) => {
      const found = access(declaring(rules), three)
      for (const name of names) {
        for (const conditions of [found?.fields, found?.stored]) {
          const condition = conditions?.get(name)
          const shown = condition ? judge(condition, { row: given, provider: 'sqlite' }) === true : true
          expect(shown).toBe(rules.some(({ fields }) => fields) ? isShown(name, rules, given) : true)
        }
      }
    }),
    { numRuns: 200 },
  )
})

describe('fields are seen', () => {
  test('all of them, where no rule names one, or nothing is taken away', () => {
    expect(hidden(({ can }) => can('view'))).toBe(null)
    expect(hidden(({ can }) => can('view', { slug: 'x' }))).toBe(null)
    expect(
      hidden(({ can, cannot }) => {
        can('view')
        cannot('view', 'title')
        can('view', 'title')
      }),
    ).toBe(null)
  })

  test('but for those that a rule takes away, in documents and in the database', () => {
    expect(hidden(but('title'))).toEqual({
      fields: { title: nothing },
      stored: { title: nothing },
    })
    expect(hidden(but('title', { slug: 'x' }))).toEqual({
      fields: { title: text({ NOT: { slug: 'x' } }) },
      stored: { title: text({ NOT: { slug: 'x' } }) },
    })
  })

  test('what several columns or names stand for has the condition of their rules once', () => {
    const both = {
      ...(posts.attributes.get('title') as Attribute),
      name: 'both',
      column: null,
      reads: ['title', 'slug'],
    }
    const schema = { ...posts, attributes: new Map([...posts.attributes, ['both', both]]) }
    const ofColumns = access(but(['title', 'slug'], { views: 1 }), schema)
    expect(ofColumns?.fields.get('both')).toBe(ofColumns?.fields.get('title'))
    const ofRelation = access(but('author', { views: 1 }))
    expect(ofRelation?.stored.get('authorId')).toBe(ofRelation?.fields.get('author'))
  })

  test('by an attribute that is called otherwise than its column, whichever a rule says', () => {
    const heading = { ...(posts.attributes.get('title') as Attribute), name: 'heading' }
    const schema = { ...posts, attributes: new Map([['heading', heading]]) }
    for (const name of ['title', 'heading'])
      expect(hidden(but(name), schema)).toEqual({
        fields: { heading: nothing },
        stored: { title: nothing },
      })
  })

  test('a relation with its columns, whichever a rule says, and not what is beside it', () => {
    const both = { fields: { author: nothing }, stored: { author: nothing, authorId: nothing } }
    expect(hidden(but('author'))).toEqual(both)
    expect(hidden(but('authorId'))).toEqual(both)
    expect(hidden(but('tags'))).toEqual({
      fields: { tags: nothing },
      stored: { tags: nothing },
    })
  })

  test('what reads columns where all of them are seen', () => {
    const sum: Attribute = {
      ...(posts.attributes.get('title') as Attribute),
      name: 'sum',
      column: null,
      reads: ['views', 'rank', 'id'],
    }
    const schema = { ...posts, attributes: new Map([...posts.attributes, ['sum', sum]]) }
    const declare: Declare = ({ can, cannot }) => {
      can('view')
      cannot('view', 'views', { slug: 'x' })
      cannot('view', 'rank', { slug: 'y' })
    }
    const found = hidden(declare, schema)
    expect(found?.fields.sum).toEqual(text({ NOT: [{ slug: 'x' }, { slug: 'y' }] }))
    expect(hidden(but('sum'), schema)).toEqual({
      fields: { sum: nothing },
      stored: {},
    })
  })

  test('never without the id', () => {
    const found = hidden(({ can }) => can('view', 'title', { slug: 'x' }))
    expect(found?.fields.title).toEqual(text({ slug: 'x' }))
    expect(found?.fields.slug).toEqual(nothing)
    expect(found?.stored.author).toEqual(nothing)
    expect([found?.stored.id, found?.fields.id]).toEqual([undefined, undefined])
  })

  test('beside a method, which stands for a rule without fields', () => {
    const view = () => true
    expect(hidden(({ can }) => can('view', 'title', { slug: 'x' }), posts, { view })).toBe(null)
    expect(hidden(({ cannot }) => void cannot('view', 'title', { slug: 'x' }), posts, { view })).toEqual({
      fields: { title: text({ NOT: { slug: 'x' } }) },
      stored: { title: text({ NOT: { slug: 'x' } }) },
    })
  })

  test('a relation that leads to several types, by its name or by one of theirs', () => {
    const comments = schemaOfModel('Comment')
    expect(hidden(but('commentable'), comments)).toEqual({
      fields: { commentable: nothing },
      stored: { post: nothing, video: nothing, postId: nothing, videoId: nothing },
    })
    expect(hidden(but('post'), comments)?.fields).toEqual({
      commentable: nothing,
    })
  })

  test('a relation through rows of a model of their own', () => {
    const seats = posts.relations.get('seats')
    const through = {
      ...seats,
      kind: 'manyThrough',
      name: 'guests',
      pivot: { model: 'Seat', list: 'seats' },
    } as unknown as ManyThrough
    const schema = { ...posts, relations: new Map([['guests', through]]) }
    expect(hidden(but('guests'), schema)).toEqual({
      fields: { guests: nothing },
      stored: { seats: nothing },
    })
  })

  test('a relation that is none of the type, with its column', () => {
    const schema = { ...posts, relations: new Map() }
    expect(hidden(but('author'), schema)).toEqual({
      fields: {},
      stored: { authorId: nothing, author: nothing },
    })
    expect(hidden(but('authorId'), schema)).toEqual({
      fields: {},
      stored: { authorId: nothing, author: nothing },
    })
  })
})

describe('who asks why is told the rules', () => {
  const declare: Declare = ({ can, cannot }) => {
    can('view')
    cannot('view', ['title', 'authorId'])
    can('view', 'title', { slug: 'x' })
    can('update')
  }
  const ruled = (field: string) =>
    access(declare)
      ?.ruledBy(field)
      .map(({ where, ...told }) => ({ ...told, where: where && asWhere(where, 'Post', resources) }))

  test('about a field, the strongest first', () => {
    expect(ruled('title')).toEqual([
      { rule: 3, effect: 'can', where: { slug: 'x' } },
      { rule: 2, effect: 'cannot', where: null },
      { rule: 1, effect: 'can', where: null },
    ])
    expect(ruled('slug')).toEqual([{ rule: 1, effect: 'can', where: null }])
    expect(ruled('nothing')).toEqual([{ rule: 1, effect: 'can', where: null }])
  })

  test('about the columns of what no rule names', () => {
    expect(ruled('author')).toEqual([
      { rule: 2, effect: 'cannot', where: null },
      { rule: 1, effect: 'can', where: null },
    ])
  })
})

describe('the fields that may be written', () => {
  const all = ['slug', 'title']
  const readOnly = { ...(posts.attributes.get('rank') as Attribute), readOnly: true }
  const schema: ResourceSchema = {
    ...posts,
    attributes: new Map([
      ...all.map((name) => [name, posts.attributes.get(name) as Attribute] as const),
      ['rank', readOnly],
    ]),
    relations: new Map([...posts.relations].filter(([name]) => name === 'author')),
  }
  function writable(declare: Declare, given: Row | null, policies: object = { Post: { abilities: declare } }) {
    const registry = { byType: new Map([['posts', schema]]), byModel: new Map([['Post', schema]]) }
    const ctx = contextOf({ policies: policies as never, server: { schemas: registry, resources } })
    const rules = compileRules({ abilities: declare } as AnyPolicy, schema, resources, null)
    return writableFields(
      { ...ctx, abilityOf: () => ({ ...abilitiesOf({})('Post'), fieldsFor: rules.fieldsFor }) } as never,
      schema,
      given,
    )
  }
  const post = { id: 1, slug: 'x', title: 'y', authorId: 3 }

  test('are all where no rule is about fields, or all of these may be written', () => {
    expect(writable(({ can }) => can('update'), post)).toBe(null)
    expect(writable(updating('title', { slug: 'z' }), post)).toBe(null)
    expect(writable(updating('title'), post, {})).toBe(null)
  })

  test('are those that rules allow for the row, or for a new one', () => {
    const declare: Declare = ({ can, cannot }) => {
      can(['update', 'create'])
      cannot('update', 'title', { slug: 'x' })
      cannot('create', 'author')
    }
    expect(writable(declare, post)).toEqual(['slug', 'author'])
    expect(writable(declare, { ...post, slug: 'z' })).toBe(null)
    expect(writable(declare, null)).toEqual(['title', 'slug'].sort())
  })
})
