import { describe, expect, test } from 'vitest'
import { onBroken } from '../../../src/actions/on-broken.ts'
import { conflict } from '../../../src/document/errors.ts'
import { invalid, world } from '../validation/fixture.ts'

const { create, schema } = world()
const tags = schema('Tag')
const broken = (kind: 'unique' | 'missing', ...columns: string[]) => ({
  kind,
  constraint: null,
  code: null,
  model: null,
  columns,
})

const errorOf = async (id: string | null, of: ReturnType<typeof broken>) => {
  const validated = await create('Tag', { attributes: { name: 'one' } }).done
  return onBroken(tags, validated, id)(of)
}

describe('a unique constraint that another request was faster with', () => {
  test('is 409 for an id that the client chose', async () => {
    expect(await errorOf('1', broken('unique', 'id'))).toEqual(conflict('Resource 1 already exists.', '/data/id'))
  })

  test('is 422 at the field', async () => {
    const taken = [invalid('/data/attributes/name', 'The name has already been taken.', 'unique')]
    expect((await errorOf('1', broken('unique', 'name')))?.errors).toEqual(taken)
    expect((await errorOf(null, broken('unique', 'name')))?.errors).toEqual(taken)
  })
})

describe('a column that cannot be null', () => {
  test('is 422: the field that stands for it is required', async () => {
    expect((await errorOf(null, broken('missing', 'name')))?.errors).toEqual([
      invalid('/data', 'The name field is required.', 'required', 'name'),
    ])
  })

  test('is a fault of the application where no field stands for it', async () => {
    expect(await errorOf(null, broken('missing', 'nothing'))).toBe(null)
  })
})
