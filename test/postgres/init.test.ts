import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LinkedProject, linkProject } from '../support/linked-project.ts'
import { useOwnDatabase } from '../support/postgres-clone.ts'

const database = useOwnDatabase()
let project: LinkedProject

beforeAll(() => {
  project = linkProject({ DATABASE_URL: database.url })
})
afterAll(() => project.remove())

test('the application that init writes for PostgreSQL compiles, migrates, seeds and answers', async () => {
  await project.prismapi('init', '--provider=postgresql')
  await project.prisma('generate')
  expect(await project.tsc()).toBe('')
  await project.prisma('migrate', 'dev', '--name', 'init')
  // As `prisma db seed` does, with the sources of this package.
  await project.node('--conditions=prismapi/source', '--import', 'tsx', 'prisma/seed.ts')
  const answer = await project.ask('/api/v1/posts?include=author&fields[posts]=title,author&fields[users]=name')
  expect(answer).toMatchObject({
    status: 200,
    document: {
      data: [{ type: 'posts', attributes: { title: 'Hello' } }],
      included: [{ type: 'users', attributes: { name: 'Ann' } }],
    },
  })
})
