import { constraintName, databaseCode, refusalOf } from '@prismapi/core/database/prisma/refusals'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Example, openExample, user } from '../support/prisma-example.ts'

let example: Example
beforeAll(async () => {
  example = await openExample()
  await example.writer.user.create({ data: { id: 1, ...user('ada') } })
  await example.writer.$executeRawUnsafe(
    `CREATE TRIGGER "no_tags" BEFORE INSERT ON "Tag" WHEN new."name" = 'no' BEGIN SELECT RAISE(ABORT, 'no tags today'); END`,
  )
})
afterAll(() => example.close())

type Client = Example['writer']
const post = { title: 'a', slug: 'a', content: 'a' }
const refused: readonly (readonly [string, (client: Client) => Promise<unknown>, object])[] = [
  [
    'a value that another row has',
    (client) => client.user.create({ data: user('ada') }),
    { refusal: 'unique', code: 'SQLITE_CONSTRAINT_UNIQUE' },
  ],
  [
    'a row that is not there',
    (client) => client.post.create({ data: { ...post, authorId: 9 } }),
    { refusal: 'reference', code: 'SQLITE_CONSTRAINT_FOREIGNKEY' },
  ],
  [
    'a CHECK',
    (client) => client.comment.create({ data: { content: 'a', authorId: 1 } }),
    { refusal: 'check', code: 'SQLITE_CONSTRAINT_CHECK', constraint: 'Comment_commentable_check' },
  ],
  [
    'a trigger',
    (client) => client.tag.create({ data: { name: 'no' } }),
    { refusal: 'trigger', code: 'SQLITE_CONSTRAINT_TRIGGER', constraint: 'no tags today' },
  ],
  [
    'a null',
    (client) => client.$executeRawUnsafe('INSERT INTO "Tag" ("name") VALUES (NULL)'),
    { refusal: 'missing', code: 'SQLITE_CONSTRAINT_NOTNULL' },
  ],
  [
    'a row to change that is not there',
    (client) => client.tag.update({ where: { id: 9 }, data: { name: 'a' } }),
    { refusal: 'notFound', code: 'P2025' },
  ],
  [
    'a transaction that takes too long',
    (client) => client.$transaction(() => new Promise((resolve) => setTimeout(resolve, 60)), { timeout: 20 }),
    { refusal: 'transient', code: 'P2028' },
  ],
]

test.each(refused)('what Prisma throws for %s is known', async (_, write, known) => {
  const error: unknown = await write(example.writer).then(
    () => expect.unreachable('It was not refused.'),
    (thrown: unknown) => thrown,
  )
  const told = { refusal: refusalOf(error), code: databaseCode(error), constraint: constraintName(error) }
  expect(
    told,
    'Prisma or its adapter tells of an error otherwise: packages/core/src/database/prisma/refusals.ts takes it for another one.',
  ).toMatchObject(known)
})
