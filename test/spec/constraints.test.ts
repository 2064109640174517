import { integer, type Serving } from 'prismapi'
import type { ServerParts } from 'prismapi/types'
import { beforeAll, describe, expect, test } from 'vitest'
import GivenTagPolicy from '../../policies/tag.policy.ts'
import GivenVideoPolicy from '../../policies/video.policy.ts'
import V1 from '../../src/app/v1/server.ts'
import TagSchema from '../../src/app/v1/tag.schema.ts'
import VideoSchema from '../../src/app/v1/video.schema.ts'
import { users } from '../support/api.ts'
import { provider } from '../support/database.ts'
import { isGuarded } from '../support/guarded.ts'
import { addTag } from '../support/rows.ts'
import { exampleWith, useServers } from '../support/servers.ts'

// What constraints and triggers of the database refuse, a schema class explains to clients; what none does is 409.

class Videos extends VideoSchema {
  override constraints = {
    'thirteen is not allowed': { field: 'durationSeconds', message: 'No video lasts thirteen seconds.' },
    no_fourteen: { message: 'No video lasts fourteen seconds.' },
    PX015: { field: 'title', message: 'No video lasts fifteen seconds.' },
  }
  override actions() {
    const rules = { durationSeconds: integer() }
    return [
      this.action('film', {
        ...{ on: 'collection', rules },
        handle: ({ save, input }) => save('Video', null, filmed(input.durationSeconds)),
      }),
      this.action('shoot', {
        ...{ on: 'collection', rules: { seconds: integer() } },
        handle: ({ db, input }) => db.video.create({ data: filmed(input.seconds) }),
      }),
    ]
  }
}

const filmed = (durationSeconds: unknown) =>
  ({ title: 'A film', url: 'https://example.org', durationSeconds }) as { title: string; url: string }

class Tags extends TagSchema {
  override constraints = { tag_folded: { message: 'There is a tag that reads alike.' } }
  override actions() {
    return [
      this.action('film', {
        ...{ on: 'collection', rules: { seconds: integer() } },
        async handle({ save, input }) {
          await save('Video', null, filmed(input.seconds))
        },
      }),
    ]
  }
}

class VideoPolicy extends GivenVideoPolicy {
  film = () => true
  shoot = () => true
}
class TagPolicy extends GivenTagPolicy {
  film = () => true
}

/** With a hook, a write is several statements of Prisma's. */
let isHooked = false

class Hooked extends V1 {
  override serving(phase: Serving): void {
    super.serving(phase)
    if (isHooked) phase.created('Video', () => {})
  }
}

const servers = useServers(async () => {
  const { policies, servers: given } = await exampleWith(Hooked as ServerParts['server'])
  const own = [
    ['Video', Videos as never],
    ['Tag', Tags as never],
  ] as const
  const said = given.map((parts) => ({ ...parts, schemas: new Map([...parts.schemas, ...own]) }))
  const acting = new Map([...policies, ['Video', VideoPolicy] as const, ['Tag', TagPolicy] as const])
  return { policies: acting, servers: said, production: false }
})

const raising = (when: string, work: string) =>
  `CREATE TRIGGER ${work.replaceAll(/\W+/g, '_').slice(0, 40)} BEFORE ${when} BEGIN SELECT ${work}; END`
const onSqlite = [
  raising('INSERT ON "Video" WHEN NEW."durationSeconds" = 13', `RAISE(ABORT, 'thirteen is not allowed')`),
  raising('INSERT ON "Video" WHEN NEW."durationSeconds" = 14', `RAISE(ABORT, 'no_fourteen')`),
  raising('INSERT ON "Video" WHEN NEW."durationSeconds" = 16', `RAISE(ABORT, 'sixteen')`),
  raising('INSERT ON "Video" WHEN NEW."durationSeconds" = 17', 'RAISE(IGNORE)'),
  `CREATE TRIGGER kept BEFORE DELETE ON "Tag" WHEN OLD.name LIKE 'kept %' BEGIN SELECT RAISE(IGNORE); END`,
  `CREATE TRIGGER softly BEFORE DELETE ON "Tag" WHEN OLD.name LIKE 'soft %' BEGIN
    UPDATE "Tag" SET name = 'gone ' || OLD.id WHERE id = OLD.id; SELECT RAISE(IGNORE); END`,
  `CREATE UNIQUE INDEX tag_folded ON "Tag" (lower(name))`,
]
const onPostgres = [
  `CREATE FUNCTION judge() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF NEW."durationSeconds" = 13 THEN RAISE EXCEPTION 'thirteen is not allowed'; END IF;
    IF NEW."durationSeconds" = 14 THEN RAISE EXCEPTION 'the row violates check constraint "no_fourteen"' USING ERRCODE = '23514', CONSTRAINT = 'no_fourteen'; END IF;
    IF NEW."durationSeconds" = 15 THEN RAISE EXCEPTION 'fifteen' USING ERRCODE = 'PX015'; END IF;
    IF NEW."durationSeconds" = 16 THEN RAISE EXCEPTION 'sixteen'; END IF;
    IF NEW."durationSeconds" = 17 THEN RETURN NULL; END IF;
    RETURN NEW; END $$`,
  `CREATE TRIGGER judge BEFORE INSERT ON "Video" FOR EACH ROW EXECUTE FUNCTION judge()`,
  `CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF OLD.name LIKE 'soft %' THEN UPDATE "Tag" SET name = 'gone ' || OLD.id WHERE id = OLD.id; RETURN NULL; END IF;
    IF OLD.name LIKE 'kept %' THEN RETURN NULL; END IF;
    RETURN OLD; END $$`,
  `CREATE TRIGGER keep BEFORE DELETE ON "Tag" FOR EACH ROW EXECUTE FUNCTION keep()`,
  `CREATE UNIQUE INDEX tag_folded ON "Tag" (lower(name))`,
]

beforeAll(async () => {
  for (const sql of provider === 'sqlite' ? onSqlite : onPostgres) await servers.db.$executeRawUnsafe(sql)
})

let made = 0
const create = async (durationSeconds: number) => {
  const id = `00000000-0000-4000-9000-${String(++made).padStart(12, '0')}`
  const data = { type: 'videos', id, attributes: { title: 'A video', url: 'https://example.org', durationSeconds } }
  const { status, body } = await servers.as(users.member3)('POST', '/api/v1/videos', { body: { data } })
  const [{ code, detail, source, meta } = {} as never] = body.errors ?? []
  return {
    status,
    code,
    detail,
    pointer: source?.pointer,
    meta,
    there: await servers.db.video.count({ where: { id } }),
  }
}

// Of a guarded database triggers are the owner's.
describe.skipIf(isGuarded)('what a trigger throws', () => {
  test('is 422 at the field that the schema class names by its words', async () => {
    expect(await create(13)).toEqual({
      status: 422,
      code: 'constraint',
      detail: 'No video lasts thirteen seconds.',
      pointer: '/data/attributes/durationSeconds',
      meta: { field: 'durationSeconds', constraint: 'thirteen is not allowed' },
      there: 0,
    })
  })

  test('is 422 of the document where the schema class names no field', async () => {
    const { status, detail, pointer } = await create(14)
    expect([status, detail, pointer]).toEqual([422, 'No video lasts fourteen seconds.', '/data'])
  })

  test.skipIf(provider !== 'postgresql')('is named by its SQLSTATE, too', async () => {
    const { status, detail, pointer } = await create(15)
    expect([status, detail, pointer]).toEqual([422, 'No video lasts fifteen seconds.', '/data/attributes/title'])
  })

  test('is 409 otherwise, with its name outside of production', async () => {
    expect(await create(16)).toEqual({
      status: 409,
      code: 'constraint',
      detail: 'The database refuses the change.',
      pointer: undefined,
      meta: { constraint: 'sixteen' },
      there: 0,
    })
  })

  test('is 409 where it drops the new row in silence', async () => {
    for (isHooked of [false, true]) {
      const { status, code, there } = await create(17)
      expect({ isHooked, status, code, there }).toEqual({ isHooked, status: 409, code: 'constraint', there: 0 })
    }
    isHooked = false
  })
})

describe.skipIf(isGuarded)('what a trigger throws at an action', () => {
  test.each([
    ['save, with an input of the field', 'videos/-actions/film', { durationSeconds: 13 }, '/meta/durationSeconds'],
    ['its client of the database', 'videos/-actions/shoot', { seconds: 13 }, '/meta'],
    ['save of another type, in the words of that type', 'tags/-actions/film', { seconds: 13 }, '/meta'],
  ])('by %s', async (_by, path, meta, pointer) => {
    const { status, body } = await servers.as(users.admin)('POST', `/api/v1/${path}`, { body: { meta } })
    const [{ code, detail, source } = {} as never] = body.errors
    expect({ status, code, detail, source }).toEqual({
      status: 422,
      code: 'constraint',
      detail: 'No video lasts thirteen seconds.',
      source: { pointer },
    })
    expect(await servers.db.video.count({ where: { title: 'A film' } })).toBe(0)
  })
})

describe.skipIf(isGuarded)('a trigger that does not let a row be deleted', () => {
  const remove = async (name: string) => {
    const { id } = await addTag(servers.db, name)
    const { status, body } = await servers.as(users.admin)('DELETE', `/api/v1/tags/${id}`)
    return [status, body?.errors?.[0].code, (await servers.db.tag.findUnique({ where: { id } }))?.name.split(' ')[0]]
  }

  test('and marks it is a deletion', async () => {
    expect(await remove('soft one')).toEqual([204, undefined, 'gone'])
  })

  test('and leaves it as it was is 409', async () => {
    expect(await remove('kept one')).toEqual([409, 'constraint', 'kept'])
  })
})

test('a unique index that Prisma does not know is 409 in the words of the schema class', async () => {
  await addTag(servers.db, 'Alike')
  const body = { data: { type: 'tags', attributes: { name: 'aLIKE' } } }
  const answer = await servers.as(users.admin)('POST', '/api/v1/tags', { body })
  expect([answer.status, answer.body.errors[0].detail]).toEqual([409, 'There is a tag that reads alike.'])
})
