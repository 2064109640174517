import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { run } from '@prismapi/cli/run'
import { checkAssertion, parseAssertion } from '@prismapi/proof/assertion'
import { expect, test } from 'vitest'
import { resources as exampleResources } from '../../../prisma/generated/resources.ts'
import { databases } from '../../support/any-schema/databases.ts'
import { generateIn } from '../../support/any-schema/generate.ts'
import { openRecipeDatabase } from '../../support/cookbook/database.ts'
import { readRecipe } from '../../support/cookbook/page.ts'
import { makeRecipeProject } from '../../support/cookbook/project.ts'
import { openTestDatabase, provider } from '../../support/database.ts'
import { openHelpdesk } from '../../support/helpdesk.ts'
import { seedHelpdesk } from '../../support/helpdesk-seed.ts'
import { serve, type Written, walkServed } from '../../support/proof/world/served.ts'
import { newTally, type Walkable } from '../../support/proof/world/walk.ts'

// Every policy that the documentation shows or a command writes: random writes of random callers to each application, and whatever
// changes a row of which `policies assert` says that the caller never changes it is a fault.

const root = path.resolve(import.meta.dirname, '../../..')
const isNight = process.env.LEAK_WALK !== undefined
const requests = isNight ? 600 : 60

interface Opened extends Written {
  close(): Promise<void>
}

// biome-ignore lint/suspicious/noExplicitAny: clients that are generated while the test runs
type AnyClient = any

/** Users, of whom so much is known as the application declares. */
const usersOf =
  ({ writer }: { readonly writer?: unknown }) =>
  async (claims: readonly string[]): Promise<object[]> => {
    const rows = await (writer as AnyClient).user.findMany({ orderBy: { id: 'asc' }, take: 4 })
    return rows.map((row: AnyClient) => Object.fromEntries(claims.map((name) => [name, row[name]])))
  }

async function openExample(): Promise<Opened> {
  const clients = await openTestDatabase()
  return {
    ...{ folder: root, resources: exampleResources, clients, close: clients.close },
    members: usersOf(clients),
  }
}

async function openTutorial(): Promise<Opened> {
  const helpdesk = await openHelpdesk()
  await seedHelpdesk(helpdesk)
  const { folder, resources, db, close } = helpdesk
  const members = async () =>
    (await db.membership.findMany()).map(({ id, organizationId, role }: AnyClient) => ({
      ...{ organizationId, role, membershipId: id },
    }))
  return { folder, resources, close, members, clients: { reader: db, writer: db } }
}

async function openRecipe(name: string): Promise<Opened> {
  const page = readRecipe(name, provider)
  const project = await makeRecipeProject(page)
  const clients = await openRecipeDatabase(project, page)
  for (const statement of page.statements) await (clients.writer as AnyClient).$executeRawUnsafe(statement)
  await rowsOf[name]?.(clients.writer)
  return {
    ...{ folder: project.folder, clients: clients as never },
    resources: project.generated?.resources ?? exampleResources,
    members: usersOf(clients),
    async close() {
      await clients.close()
      project.remove()
    },
  }
}

/** Rows of those types for which the page has none. */
const rowsOf: Readonly<Record<string, (db: AnyClient) => Promise<unknown>>> = {
  'file-upload': (db) =>
    db.document.createMany({
      data: [1, 1, 2, 2].map((ownerId, i) => ({
        ...{ ownerId, title: `Document ${i}`, fileName: 'a.txt', mediaType: 'text/plain', size: 1 },
        storageKey: `a key of the tests, ${i}`,
      })),
    }),
  'double-booking': (db) =>
    db.booking.createMany({
      data: [1, 1, 2, 2].map((guestId, hour) => ({
        ...{ guestId, roomId: 1, startsAt: new Date(Date.UTC(2027, 1, 1, hour)) },
        endsAt: new Date(Date.UTC(2027, 1, 1, hour + 1)),
      })),
    }),
  'email-after-commit': (db) =>
    db.invitation.createMany({ data: [1, 1, 2, 2].map((inviterId, i) => ({ inviterId, email: `${i}@example.com` })) }),
  'nightly-job': (db) => db.reminder.createMany({ data: [{ text: 'Pay.', invoiceId: 1 }] }),
  'webhook-in': (db) => db.payment.createMany({ data: [{ message: 'a message', cents: 450, orderId: 1 }] }),
  webhooks: (db) =>
    Promise.all([
      db.subscription.create({
        data: { url: 'https://shop.invalid/hook', secret: '0123456789abcdef0123456789abcdef' },
      }),
      db.order.create({ data: { item: 'Tea', quantity: 1 } }),
    ]),
}

/** The recipes that show a policy, or have models for which there are policies. */
const recipes = readdirSync(path.join(root, 'docs/cookbook'))
  .map((file) => file.replace('.md', ''))
  // Walks know no values of a path, and one of PostgreSQL has no database here.
  .filter((name) => !['tenant-in-path', 'money'].includes(name))
  .filter((name) => readRecipe(name, provider).files.some(({ says }) => says.write?.startsWith('policies/')))

/** What `prismapi init` writes into an empty folder, and `prismapi request` for each of these models. */
async function openNew(...requested: readonly string[]): Promise<Opened> {
  const folder = mkdtempSync(path.join(root, 'test/.tmp-'))
  const said: string[] = []
  const terminal = {
    say: (text: string) => void said.push(text),
    complain: (text: string) => void said.push(text),
    paint: (_: unknown, text: string) => text,
  }
  const prismapi = async (line: string) => {
    if ((await run(line.split(' '), folder, terminal)) !== 0) throw new Error(said.join('\n'))
  }
  await prismapi('init')
  // It would ask where `prismapi` is installed.
  for (const name of ['prisma.config.ts', 'package.json', 'tsconfig.json']) rmSync(path.join(folder, name))
  const schemaFile = path.join(folder, 'prisma/schema.prisma')
  for (const model of requested) await prismapi(`request ${model} --force`)
  const schema = readFileSync(schemaFile, 'utf8')
  const generator = `node --conditions=prismapi/source --import ${path.join(root, 'node_modules/tsx/dist/loader.mjs')} ${path.join(root, 'packages/cli/src/generator/bin.ts')}`
  const generated = await generateIn(
    path.join(folder, 'prisma'),
    schema.replace('prisma-generator-resources', generator),
  )
  for (const name of ['package.json', 'node_modules']) rmSync(path.join(folder, 'prisma', name))
  const { clients, close } = await databases.sqlite(generated)
  const { writer: db } = clients as AnyClient
  for (const name of ['Ann', 'Ben', 'Cleo']) await db.user.create({ data: { name, email: `${name}@example.com` } })
  const published = new Date('2026-01-01')
  for (const [authorId, publishedAt] of [
    [1, published],
    [1, null],
    [2, published],
    [3, published],
  ]) {
    const { id: postId } = await db.post.create({ data: { title: 'A title', content: 'Text', authorId, publishedAt } })
    await db.comment.create({ data: { content: 'Welcome!', authorId: 2, postId } })
  }
  return {
    ...{ folder, resources: generated.resources, clients },
    members: usersOf(clients as { readonly writer?: unknown }),
    async close() {
      await close()
      rmSync(folder, { recursive: true })
    },
  }
}

const applications: readonly (readonly [string, () => Promise<Opened>])[] = [
  ['the example', openExample],
  ['the helpdesk of the tutorial', openTutorial],
  ...recipes.map((name) => [`the recipe ${name}`, () => openRecipe(name)] as const),
  ['a new application', () => openNew()],
  ['a new application with request classes', () => openNew('User', 'Post', 'Comment')],
]

test.each(applications)('what is proven never to change no request changes: %s', async (_, open) => {
  const written = await open()
  const tally = newTally()
  try {
    await walkServed(written, { seed: 1, requests, tally })
  } finally {
    await written.close()
  }
  expect(tally.faults).toEqual([])
  // Neither do all requests fail, nor does every sentence not hold.
  expect(tally.changes).toBeGreaterThan(0)
  expect(tally.held).toBeGreaterThan(0)
})

test('in a new application nobody takes the post of another by a link, and that is proven', async () => {
  const written = await openNew()
  const { servers, close } = await serve(written)
  const [v1] = servers as readonly [Walkable<object | null>]
  const { prover, callers } = v1
  const ben = callers[2] as object
  const patch = (path: string, data: object) => v1.ask({ method: 'PATCH', path, body: { data } }, ben)
  const post = { type: 'posts', id: '1' }
  const user = { type: 'users', id: '2' }
  try {
    expect(ben).toMatchObject({ id: 2 })
    expect({
      directly: await patch('/posts/1', { ...post, attributes: { title: 'Mine' } }),
      linked: await patch('/users/2', { ...user, relationships: { posts: { data: [post] } } }),
      himself: await patch('/users/2', { ...user, attributes: { name: 'Benjamin' } }),
    }).toEqual({ directly: 403, linked: 403, himself: 200 })
    const never = parseAssertion('user never update Post where {"authorId":{"not":{"user":"id"}}}')
    expect(await checkAssertion(prover, await prover.model(), never)).toEqual({ holds: true })
  } finally {
    await close()
    await written.close()
  }
})
