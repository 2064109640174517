import { expect, test } from 'vitest'
import { useRecipe } from '../../support/cookbook/recipe.ts'

const recipe = useRecipe('seeding')

test('the files of the page compile', () => {
  expect(recipe.compile()).toEqual([])
})

test('everything is answered as the page shows it', async () => {
  const { shown, seen } = await recipe.follow()
  expect(seen).toEqual(shown)
})

test('the rows are the same every time', async () => {
  const { seed, isEmpty } = await recipe.load('prisma/seed.ts')
  const rows = async () => JSON.stringify(await recipe.db.post.findMany({ select: { title: true, publishedAt: true } }))
  const before = await rows()
  expect(await isEmpty(recipe.db)).toBe(false)
  await recipe.db.post.deleteMany()
  await recipe.db.user.deleteMany()
  expect(await isEmpty(recipe.db)).toBe(true)
  await recipe.db.$executeRawUnsafe("DELETE FROM sqlite_sequence WHERE name IN ('User', 'Post')")
  await seed(recipe.db)
  expect(await rows()).toBe(before)
})

test('reference data is written once, and what somebody has added stays', async () => {
  const { seedReference } = await recipe.load('prisma/reference.ts')
  await recipe.db.tag.create({ data: { name: 'mine' } })
  await recipe.db.tag.delete({ where: { name: 'tutorial' } })
  await seedReference(recipe.db)
  await seedReference(recipe.db)
  const tags = await recipe.db.tag.findMany({ orderBy: { name: 'asc' }, select: { name: true } })
  expect(tags.map(({ name }: { name: string }) => name)).toEqual(['announcement', 'mine', 'staff-pick', 'tutorial'])
})
