import { describe, expect, test } from 'vitest'
import { dashed, fieldName, inferType, inferTypes, isFieldName, looksSecret } from '../../../src/schema/naming.ts'

describe('the type of a model', () => {
  test.each([
    ['Post', 'posts'],
    ['BlogPost', 'blog-posts'],
    ['Category', 'categories'],
    ['Person', 'people'],
    ['UserStatus', 'user-statuses'],
    ['blog_post', 'blog-posts'],
    ['News', 'news'],
    ['Blog_Post', 'blog-posts'],
    ['OAuth2Token', 'o-auth2-tokens'],
    ['URL', 'urls'],
    ['HTTPLog', 'http-logs'],
    ['T_KEY_VALUE', 't-key-values'],
  ])('%s is %s', (model, type) => {
    expect(inferType(model)).toBe(type)
  })

  test('keeps its singular where another model has the plural, and is counted where that is taken, too', () => {
    expect([...inferTypes(['Post', 'Posts', 'posts'])]).toEqual([
      ['Post', 'posts'],
      ['Posts', 'posts-2'],
      ['posts', 'posts-3'],
    ])
    expect([...inferTypes(['Person', 'People'])]).toEqual([
      ['Person', 'people'],
      ['People', 'people-2'],
    ])
    expect([...inferTypes(['Datum', 'Data'])]).toEqual([
      ['Datum', 'data'],
      ['Data', 'data-2'],
    ])
  })

  test('leaves the names alone that the server needs', () => {
    expect([...inferTypes(['Operation', 'operations'], ['operations'])]).toEqual([
      ['Operation', 'operation'],
      ['operations', 'operations-2'],
    ])
  })

  test('names files without its plural', () => {
    expect(['BlogPost', 'Tag', 'blog__post'].map(dashed)).toEqual(['blog-post', 'tag', 'blog-post'])
  })
})

describe('the name of a field', () => {
  const free = () => false
  test.each([
    ['title', 'title'],
    ['snake_case', 'snake_case'],
    ['type', 'noteType'],
    ['id', 'noteId'],
    ['links', 'noteLinks'],
    ['relationships', 'noteRelationships'],
    ['class_', 'class'],
    ['type_', 'noteType'],
  ])('%s of a Note is %s', (field, name) => {
    expect(fieldName('Note', field, free)).toBe(name)
  })

  test('gives way to a field that is called so already', () => {
    expect(fieldName('Note', 'type', (name) => name === 'noteType')).toBe('noteType2')
    expect(fieldName('Note', 'class_', (name) => name === 'class' || name === 'class2')).toBe('class22')
  })

  test.each(['a', 'a1', 'a-b', 'a_b', 'camelCase', '1st'])('%s can be one', (name) => {
    expect(isFieldName(name)).toBe(true)
  })

  test.each(['', '-a', 'a-', '_a', 'a b', 'a.b', 'a,b', 'a[b]', 'a/b', 'ä', 'type', 'id', 'links', 'relationships'])(
    '"%s" cannot',
    (name) => {
      expect(isFieldName(name)).toBe(false)
    },
  )
})

describe('a secret', () => {
  test.each([
    'password',
    'passwordHash',
    'resetToken',
    'api_key',
    'apiKey',
    'stripeSecret',
    'salt',
    'otp',
    'privateKey',
  ])('is %s', (name) => {
    expect(looksSecret(name)).toBe(true)
  })

  test.each(['title', 'key', 'hashtag', 'secretary', 'tokenize', 'apiUrl', 'saltiness', 'passenger'])(
    'is not %s',
    (name) => {
      expect(looksSecret(name)).toBe(false)
    },
  )
})
