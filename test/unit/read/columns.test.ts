import { describe, expect, test } from 'vitest'
import { documentColumns, shownColumns, withColumns } from '../../../src/read/columns.ts'
import { posts } from '../auth/fixture.ts'

describe('the columns of a document', () => {
  test('are the id and the keys of relations, beside the fields that are asked for', () => {
    expect(documentColumns(posts)).toEqual(['id', 'authorId'])
    expect(shownColumns(posts, new Map([['posts', new Set<string>()]]))).toEqual(['id', 'authorId'])
  })

  test('are all of them where the document says what the caller may do', () => {
    expect(shownColumns({ ...posts, showsCan: true }, new Map())).toEqual(Object.keys(posts.model.columns))
  })

  test('stay the same list where nothing is added', () => {
    const columns = ['id', 'title']
    expect(withColumns(columns, ['title'])).toBe(columns)
    expect(withColumns(columns, ['title', 'views'])).toEqual(['id', 'title', 'views'])
  })
})
