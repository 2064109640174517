import { expect, test } from 'vitest'
import { checkContext } from '../../../../test/support/query-context.ts'
import { schemaOfModel } from '../../../../test/support/schemas.ts'
import { equals } from '../../src/condition/build.ts'
import { checkTrashed, isTrashed } from '../../src/query/filter.ts'
import { parseParameters } from '../../src/query/parameters.ts'
import { refusals } from './query-errors.ts'

const posts = schemaOfModel('Post', { deletedAtAttribute: 'publishedAt' })
const parameters = (search: string) => parseParameters({ search }, { parameters: 100 })
const check = checkContext({ trash: ['Post'] })
const trashed = (search: string, context = check, schema = posts) => checkTrashed(parameters(search), schema, context)

test('deleted rows are left out, there too, or all there is', () => {
  expect(trashed('')).toBe('without')
  expect(trashed('filter[title]=only')).toBe('without')
  for (const word of ['with', 'only', 'without'] as const) expect(trashed(`filter[trashed]=${word}`)).toBe(word)
})

test('another word is refused, and two of them', () => {
  expect(refusals(() => trashed('filter[trashed]=all'))).toEqual([
    ['filter[trashed]', 'The filter[trashed] parameter must be with, only or without.'],
  ])
  expect(refusals(() => trashed('filter[trashed]=with&filter[trashed]=with'))).toEqual([
    ['filter[trashed]', 'Query parameter filter[trashed] must not be repeated.'],
  ])
})

test('there is no such filter for who may not see the mark of deletion', () => {
  const isOne = (search: string, context = check, schema = posts) =>
    parameters(search).map((parameter) => isTrashed(parameter, schema, context))
  expect(isOne('filter[trashed]=x&filter[title]=x&filter[trashed][not]=x&filter=x')).toEqual([
    true,
    false,
    false,
    false,
  ])
  const hidden = {
    fields: new Map([['publishedAt', equals(posts.model, 'authorId', 7)]]),
    stored: new Map(),
    ruledBy: () => [],
  }
  expect(isOne('filter[trashed]=x', checkContext({ trash: ['Post'], seen: () => hidden }))).toEqual([false])
  expect(isOne('filter[trashed]=x', checkContext({ trash: ['User'] }))).toEqual([false])
  expect(isOne('filter[trashed]=x', check, schemaOfModel('Post'))).toEqual([false])
  expect(trashed('filter[trashed]=all', checkContext())).toBe('without')
})
