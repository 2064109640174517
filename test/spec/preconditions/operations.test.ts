import { beforeEach, expect, test } from 'vitest'
import { type Answer, useApi, users } from '../../support/api.ts'
import { atomic, expectRefused, inOperation, newPost, operate, path } from '../../support/operations.ts'
import { addPost, tagsOf } from '../../support/rows.ts'

const api = useApi()
const author = api.as(users.member3)
const admin = api.as(users.admin)

const stale = {
  status: '412',
  title: 'Precondition Failed',
  detail: 'The resource is not at the version that the request names: read it again before you change it.',
}
const now = '2024-05-01T00:00:00.000Z'

let id: string
beforeEach(async () => {
  id = String((await addPost(api.db, { tags: { connect: [{ id: 2 }] } })).id)
})

const meta = (version: unknown) => ({ meta: { version } })
const tags = (...ids: readonly number[]) => ids.map((each) => ({ type: 'tags', id: String(each) }))
const update = (more: object = {}) => ({
  op: 'update',
  data: { type: 'posts', id, attributes: { title: 'Changed' }, ...more },
})
const tagged = (op: string, version: unknown, ids = [3]) => ({
  op,
  ref: { type: 'posts', id, relationship: 'tags', ...meta(version) },
  data: tags(...ids),
})
const created = () => ({ op: 'add', data: { type: 'posts', attributes: newPost() } })
const tagOf = async () => (await author.get(`/api/v2/posts/${id}`)).headers.get('ETag') as string

const ways: readonly [string, (version: unknown) => object, string][] = [
  ['an update, by its data', (version) => update(meta(version)), '/data/meta/version'],
  [
    'an update, by its ref',
    (version) => ({ ...update(), ref: { type: 'posts', id, ...meta(version) } }),
    '/ref/meta/version',
  ],
  ['an update by its href', (version) => ({ ...update(), href: `posts/${id}`, ...meta(version) }), '/meta/version'],
  ['a removal', (version) => ({ op: 'remove', ref: { type: 'posts', id, ...meta(version) } }), '/ref/meta/version'],
  ['a removal by href', (version) => ({ op: 'remove', href: `posts/${id}`, ...meta(version) }), '/meta/version'],
  ['the update of a relationship', (version) => tagged('update', version), '/ref/meta/version'],
  ['an addition to a relationship', (version) => tagged('add', version), '/ref/meta/version'],
  ['a removal from a relationship', (version) => tagged('remove', version, [2]), '/ref/meta/version'],
]

test.each(ways)('%s is done where the resource is at the version', async (_name, operation) => {
  const versions = [now, '*', (await tagOf()).slice(1, -1)]
  for (const version of versions) {
    const before = await api.db.post.findUniqueOrThrow({ where: { id: Number(id) }, include: { tags: true } })
    expect((await operate(author, operation(version))).status).toBeLessThan(300)
    expect(await api.db.post.findUniqueOrThrow({ where: { id: Number(id) }, include: { tags: true } })).not.toEqual(
      before,
    )
    id = String((await addPost(api.db, { tags: { connect: [{ id: 2 }] } })).id)
  }
})

test.each(ways)('%s that is stale is 412, and undoes what was done before it', async (_name, operation, at) => {
  for (const version of ['2024-05-01T00:00:00.001Z', '', 7])
    await expectRefused(api.db, () => operate(author, created(), operation(version), created()), {
      status: 412,
      errors: [inOperation(1, stale, at)],
    })
})

test.each(ways)('%s names its version by a string or an integer', async (_name, operation, at) => {
  for (const version of [null, true, 1.5, [now], {}])
    await expectRefused(api.db, () => operate(author, created(), operation(version)), {
      status: 400,
      errors: [
        inOperation(
          1,
          {
            status: '400',
            title: 'Non-Compliant JSON:API Document',
            detail: 'The member version must be a string or an integer.',
          },
          at,
        ),
      ],
    })
})

test('an operation makes a new version, which later ones of the same request have to name', async () => {
  await expectRefused(api.db, () => operate(author, update(meta(now)), update(meta(now))), {
    status: 412,
    errors: [inOperation(1, stale, '/data/meta/version')],
  })
  expect((await operate(author, update(meta(now)), update())).status).toBe(200)
})

test('who may not see the resource is told so, and nothing of its version', async () => {
  await api.db.post.update({ where: { id: Number(id) }, data: { publishedAt: null } })
  for (const version of [now, '*', 'other'])
    await expectRefused(api.db, () => operate(api.as(users.member4), update(meta(version))), {
      status: 404,
      errors: [inOperation(0, { status: '404', title: 'Not Found' })],
    })
})

test('a resource without a version is changed by * alone', async () => {
  const { id: tagId } = await api.db.tag.create({ data: { name: `unversioned-${id}` } })
  const rename = (version: string) => ({
    op: 'update',
    data: { type: 'tags', id: String(tagId), attributes: { name: `renamed-${id}` }, ...meta(version) },
  })
  const detail = 'Resources of type tags have no version that a request could name.'
  await expectRefused(api.db, () => operate(admin, rename('1')), {
    status: 412,
    errors: [inOperation(0, { ...stale, detail }, '/data/meta/version')],
  })
  expect((await operate(admin, rename('*'))).status).toBe(200)
})

test('what is added has no version yet, and meta of the data of a relationship is about its targets', async () => {
  const [add] = [created()]
  expect((await operate(author, { ...add, data: { ...add.data, ...meta(false) } })).status).toBe(200)
  const targets = tags(3).map((each) => ({ ...each, ...meta('of the tag') }))
  const attach = { op: 'add', ref: { type: 'posts', id, relationship: 'tags' }, data: targets }
  expect((await operate(author, attach)).status).toBe(204)
  expect(await tagsOf(api.db, Number(id))).toEqual([2, 3])
})

test('If-Match of an atomic request is about none of its operations', async () => {
  const headers = { 'Content-Type': atomic, 'If-Match': '"other"' }
  const answer: Answer = await author.post(path, { headers, body: { 'atomic:operations': [update()] } })
  expect({ status: answer.status, tag: answer.headers.get('ETag') }).toEqual({ status: 200, tag: null })
})
