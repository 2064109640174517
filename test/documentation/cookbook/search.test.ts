import { expect, test } from 'vitest'
import { useRecipe } from '../../support/cookbook/recipe.ts'

const recipe = useRecipe('search')

test('the files of the page compile', () => {
  expect(recipe.compile()).toEqual([])
})

test('everything is answered as the page shows it', async () => {
  const { shown, seen } = await recipe.follow()
  expect(seen).toEqual(shown)
})

const found = async (query: string) => {
  const { body } = await recipe.ask(`GET /api/v1/posts?fields[posts]=title&sort=id&${query}`)
  return body.data.map(({ id }: { id: string }) => id)
}

test('each word has to be found, in whatever column', async () => {
  expect(await found('filter[words]=post-7%20nothing')).toEqual([])
  expect(await found('filter[words]=Post%207%20what&page[size]=1')).toEqual(['7'])
})

test('wildcards of the database stand between words, and mean nothing', async () => {
  const words = await found('filter[words]=once%20This&page[size]=3')
  expect(words).toHaveLength(3)
  expect(await found('filter[words]=once%25This&page[size]=3')).toEqual(words)
  expect(await found('filter[words]=on_e')).toEqual(await found('filter[words]=on%20e'))
})

test('it is one of the conditions of a group', async () => {
  expect(await found('filter[or][0][words]=Post%207%20what&filter[or][1][id]=1&page[size]=1')).toEqual(['1'])
})
