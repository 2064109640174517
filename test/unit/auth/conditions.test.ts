import { describe, expect, test } from 'vitest'
import { toCondition } from '../../../src/auth/conditions.ts'
import { postModel, resourcesFor } from './fixture.ts'

const condition = (where: unknown) => toCondition(where, postModel, resourcesFor('sqlite').models)

describe('a condition in its one form', () => {
  test.each([
    [{}, {}],
    [
      { views: 1, authorId: null },
      { views: 1, authorId: null },
    ],
    [{ AND: [{}, { views: 1 }] }, { views: 1 }],
    [{ OR: [] }, { id: { in: [] } }],
    [{ AND: [{ OR: [] }] }, { id: { in: [] } }],
    [{ NOT: { OR: [] } }, { NOT: { id: { in: [] } } }],
    [{ OR: [{ views: 1 }] }, { views: 1 }],
    [
      { views: 1, OR: [{ isOpen: true }, { views: 2 }] },
      { AND: [{ views: 1 }, { OR: [{ isOpen: true }, { views: 2 }] }] },
    ],
    [{ tags: { some: {} } }, { tags: { some: {} } }],
    [{ tags: { some: { OR: [] } } }, { tags: { some: { id: { in: [] } } } }],
    [{ author: { name: 'A' } }, { author: { name: 'A' } }],
    [{ author: null }, { author: null }],
    [{ author: { is: null } }, { author: { is: null } }],
  ])('%j', (where, expected) => {
    expect(condition(where)).toEqual(expected)
  })
})

describe('what Prisma would silently drop is an error', () => {
  test.each([
    [{ authorId: undefined }, 'authorId is undefined'],
    [{ authorId: { equals: undefined } }, 'authorId is undefined'],
    [{ views: { in: [1, undefined] } }, 'views is undefined'],
    [{ author: { is: { name: undefined } } }, 'name is undefined'],
    [{ tags: { some: undefined } }, 'some is undefined'],
    [{ OR: undefined }, 'OR is undefined'],
    [{ OR: [{ views: 1 }, {}] }, 'a branch of OR has no condition'],
    [{ NOT: {} }, 'a branch of NOT has no condition'],
    [{ views: {} }, 'views has an empty filter'],
    [{ autorId: 1 }, 'the model Post has no field "autorId". Did you mean "authorId"?'],
    [{ tags: { some: { nam: 'x' } } }, 'the model Tag has no field "nam". Did you mean "name"?'],
    [undefined, 'a condition must be a Prisma where object'],
    [null, 'a condition must be a Prisma where object'],
    [[{ views: 1 }], 'a condition must be a Prisma where object'],
  ])('%j', (where, message) => {
    expect(() => condition(where)).toThrow(message)
  })
})
