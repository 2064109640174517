import type { Serving } from 'prismapi'
import { describe, expect, test } from 'vitest'
import V2 from '../../src/app/v2/server.ts'
import { users } from '../support/api.ts'
import { isGuarded } from '../support/guarded.ts'
import { fresh } from '../support/idempotency.ts'
import { addPost, addTag, tagsOf } from '../support/rows.ts'
import { exampleWith, useServers } from '../support/servers.ts'

// What hooks do as the system, beside what their caller may do: without row level security the one is as the other.

type Work = (event: Parameters<Parameters<Serving['saved']>[1]>[1]) => Promise<unknown>

let work: Work = async () => {}
let before: Work = async () => {}

class Audited extends V2 {
  override serving(phase: Serving): void {
    super.serving(phase)
    phase.saved('Post', async (_, event) => void (await work(event)))
    phase.updating('Post', async (_, event) => void (await before(event)))
    phase.attached('Post', async (_, event) => void (await work(event)))
    phase.attaching('Post', async (_, event) => void (await before(event)))
  }
}

const api = useServers(() => exampleWith(Audited))

/** A member changes a post of their own. */
async function change(): Promise<number> {
  const { id } = await addPost(api.db, { authorId: users.member3 })
  const body = { data: { type: 'posts', id: String(id), attributes: { title: 'Changed' } } }
  return (await api.as(users.member3)('PATCH', `/api/v2/posts/${id}`, { body })).status
}

describe('a hook', () => {
  test('writes as the system what its caller may not', async () => {
    const name = fresh('system')
    work = (event) => event.asSystem().tag.create({ data: { name } })
    expect(await change()).toBe(200)
    const { id } = await api.db.tag.findUniqueOrThrow({ where: { name } })
    const [logged] = await api.db.change.findMany({ where: { model: 'Tag', key: String(id) } })
    expect(logged).toMatchObject({ action: 'create', user: String(users.member3) })
    work = (event) => event.db.tag.create({ data: { name: `${name}-by-caller` } })
    expect(await change()).toBe(isGuarded ? 500 : 200)
  })

  test('has its caller’s rights again afterwards, and beside it', async () => {
    const hidden = await addPost(api.db, { authorId: users.member4, publishedAt: null })
    const where = { id: hidden.id }
    const seen: unknown[] = []
    work = async ({ db, asSystem }) => {
      seen.push(
        ...(await Promise.all([
          db.post.count({ where }),
          asSystem().post.count({ where }),
          db.post.findUnique({ where }).then((row) => row?.id),
          asSystem()
            .post.findUnique({ where })
            .then((row) => row?.id),
          db.post.findUnique({ where }).author(),
          asSystem()
            .post.findUnique({ where })
            .author()
            .then((row) => row?.id),
          asSystem().$queryRaw<{ id: number }[]>`SELECT "id" FROM "Post" WHERE "id" = ${hidden.id}`,
          db.$queryRaw<{ id: number }[]>`SELECT "id" FROM "Post" WHERE "id" = ${hidden.id}`,
        ])),
      )
      seen.push(await db.post.count({ where }))
    }
    expect(await change()).toBe(200)
    const row = [{ id: hidden.id }]
    expect(seen).toEqual(
      isGuarded
        ? [0, 1, undefined, hidden.id, null, users.member4, row, [], 0]
        : [1, 1, hidden.id, hidden.id, expect.objectContaining({ id: users.member4 }), users.member4, row, row, 1],
    )
  })

  const failures: readonly [string, Work][] = [
    ['finds no row to update', (event) => event.asSystem().tag.update({ where: { id: 0 }, data: { name: 'none' } })],
    ['finds no row that has to be there', (event) => event.asSystem().tag.findUniqueOrThrow({ where: { id: 0 } })],
    ['has arguments that there are not', (event) => event.asSystem().tag.count({ where: { none: 1 } } as never)],
    [
      'finds no row to lead on from',
      (event) =>
        event
          .asSystem()
          .post.findUniqueOrThrow({ where: { id: 0 } })
          .author(),
    ],
  ]

  test.each(failures)('has its caller’s rights again where the system %s', async (_, failing) => {
    const hidden = await addPost(api.db, { authorId: users.member4, publishedAt: null })
    const seen: unknown[] = []
    work = async (event) => {
      seen.push(await failing(event).then(String, ({ name }: Error) => name))
      seen.push(await event.db.post.count({ where: { id: hidden.id } }))
      seen.push((await event.find('Post', hidden.id))?.id)
      await event.db.tag.create({ data: { name: fresh('by-caller') } })
    }
    expect(await change()).toBe(isGuarded ? 500 : 200)
    expect(seen).toEqual([expect.stringMatching(/^PrismaClient\w+Error$/), isGuarded ? 0 : 1, undefined])
  })

  test('that does not wait for the system has links written by the caller', async () => {
    if (isGuarded) {
      await api.db.$executeRawUnsafe(`
        CREATE FUNCTION only_caller() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF current_user <> 'prismapi_guarded' THEN RAISE EXCEPTION 'A link is written by %.', current_user; END IF;
          RETURN NULL;
        END $$`)
      await api.db.$executeRawUnsafe(
        'CREATE TRIGGER only_caller AFTER INSERT OR DELETE ON "_PostToTag" EXECUTE FUNCTION only_caller()',
      )
    }
    const long = isGuarded ? 'SELECT pg_sleep(0.02)::text' : 'SELECT 1'
    const works: Promise<void>[] = []
    const goOn = async ({ asSystem }: Parameters<Work>[0]) => {
      for (let i = 0; i < 20; i++) await asSystem().$queryRawUnsafe(long)
    }
    work = async () => void (await works.at(-1))
    before = async (event) => void works.push(goOn(event))
    const { id } = await addPost(api.db, { authorId: users.member3 })
    const [first, second] = [await addTag(api.db), await addTag(api.db)]
    const asked = (method: string, ...tags: readonly { readonly id: number }[]) => {
      const data = tags.map((tag) => ({ type: 'tags', id: String(tag.id) }))
      return api.as(users.member3)(method, `/api/v2/posts/${id}/relationships/tags`, { body: { data } })
    }
    expect((await asked('POST', first)).status).toBe(204)
    expect(await tagsOf(api.db, id)).toEqual([first.id])
    expect((await asked('PATCH', second)).status).toBe(200)
    expect(await tagsOf(api.db, id)).toEqual([second.id])
    expect(works).toHaveLength(2)
    before = async () => {}
  })

  test('is undone with what it wrote as the system', async () => {
    const name = fresh('undone')
    work = async (event) => {
      await event.asSystem().tag.create({ data: { name } })
      throw new Error('a bug')
    }
    expect(await change()).toBe(500)
    expect(await api.db.tag.count({ where: { name } })).toBe(0)
  })

  test('that breaks a constraint as the system may not go on, and its write is undone', async () => {
    const { name } = await api.db.tag.findFirstOrThrow()
    work = (event) => event.asSystem().tag.create({ data: { name } })
    expect(await change()).toBe(409)
  })

  test('has no system after its transaction', async () => {
    let kept: ReturnType<Parameters<Work>[0]['asSystem']> | null = null
    work = async (event) => {
      kept = event.asSystem()
    }
    expect(await change()).toBe(200)
    await expect(async () => kept?.tag.count()).rejects.toThrow('The transaction of this db has ended.')
  })
})
