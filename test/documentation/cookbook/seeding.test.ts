import { createApi, discover } from 'prismapi'
import { expect, test } from 'vitest'
import { resources } from '../../../prisma/generated/resources.ts'
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

/** The API of the recipe without a server, and its first users. */
async function openApi() {
  const { clients, logger, baseUrl } = recipe.parts
  const found = await discover({ root: recipe.folder, resources })
  const api = createApi({ resources, clients, ...found, logger, baseUrl, production: true })
  const select = { id: true, name: true, email: true, role: true }
  const [administrator, member, stranger] = await recipe.db.user.findMany({ orderBy: { id: 'asc' }, take: 3, select })
  return { api, administrator, member, stranger }
}

test('the story is told by who may do so, and its rows belong to them', async () => {
  const { tellStory } = await recipe.load('prisma/story.ts')
  const { api, administrator, member } = await openApi()
  await expect(tellStory(api, member, member)).rejects.toMatchObject({ status: 403 })
  expect(await tellStory(api, administrator, member)).toBe('How to make tea')
  const where = { slug: 'how-to-make-tea' }
  const include = { tags: { select: { name: true } } }
  expect(await recipe.db.post.findUnique({ where, include })).toMatchObject({
    authorId: member.id,
    tags: [{ name: 'tea' }],
  })
})

test('the test of drafts passes, and fails where a stranger sees one', async () => {
  const { testDrafts } = await recipe.load('test/drafts.ts')
  const { api, administrator, member, stranger } = await openApi()
  await testDrafts(api, member, stranger)
  await recipe.db.post.delete({ where: { slug: 'a-draft' } })
  await expect(testDrafts(api, member, administrator)).rejects.toThrow('Missing expected rejection')
})
