import { describe, expect, test } from 'vitest'
import { shapeOf } from '../../src/actions/document-checks.ts'
import { world } from '../validation/fixture.ts'

const { ctx, schema } = world()
const known = (version: '1.0' | '1.1') =>
  ({ server: { ...ctx.server, version }, served: { ...ctx.served, trash: false }, limits: { linkage: 50 } }) as never
const shape = (model: string, id: string | null = null, version: '1.0' | '1.1' = '1.0') =>
  shapeOf(known(version), schema(model), id)

describe('what a document may contain', () => {
  test('an id of the client where the schema takes one, and local ids in JSON:API 1.1', () => {
    const { type, id, acceptsClientId, knowsLid } = shape('Post')
    expect({ type, id, acceptsClientId, knowsLid }).toEqual({
      type: 'posts',
      id: null,
      acceptsClientId: false,
      knowsLid: false,
    })
    expect(shape('Video').acceptsClientId).toBe(true)
    expect(shape('Video', null, '1.1').knowsLid).toBe(true)
  })

  test('the attributes of the type, and no columns of the database beside them', () => {
    const { hasAttribute } = shape('Post')
    expect(['title', 'slug', 'authorId', 'author', 'nothing'].filter(hasAttribute)).toEqual(['title', 'slug'])
  })

  test('its relationships, with the types and the number of what they take', () => {
    const { relation, isType } = shape('Comment')
    expect(relation('commentable')).toMatchObject({
      name: 'commentable',
      isToMany: false,
      types: ['posts', 'videos'],
      maxLinkage: 50,
    })
    expect(shape('Post').relation('tags')).toMatchObject({ name: 'tags', isToMany: true, types: ['tags'] })
    expect(relation('nothing')).toBe(null)
    expect(['posts', 'nothing'].filter(isType)).toEqual(['posts'])
  })
})
