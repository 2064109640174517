import { beforeAll, describe, expect, test } from 'vitest'
import { useApi, users } from '../../support/api.ts'
import { newPost } from '../../support/operations.ts'

// What one member writes, everybody reads: texts have an end. It counts characters, and an emoji is one of them.

const api = useApi()
const admin = api.as(users.admin)

let post: string
let comment: string
let profile: string
beforeAll(async () => {
  const { body, ...data } = newPost()
  const created = await api.db.post.create({ data: { ...data, content: body, authorId: users.admin } })
  const about = { content: 'Text', postId: created.id, authorId: users.admin }
  post = `/posts/${created.id}`
  comment = `/comments/${(await api.db.comment.create({ data: about })).id}`
  profile = `/profiles/${(await api.db.profile.findUniqueOrThrow({ where: { userId: users.admin } })).id}`
})

const cases: readonly (readonly [type: string, path: () => string, field: string, most: number])[] = [
  ['posts', () => post, 'content', 50_000],
  ['posts', () => post, 'synopsis', 500],
  ['posts', () => post.replace(/^/, '/api/v2'), 'body', 50_000],
  ['comments', () => comment, 'content', 10_000],
  ['profiles', () => profile, 'bio', 2000],
]

describe.each(cases)('%s', (type, path, field, most) => {
  const send = (text: string) => {
    const id = path().split('/').at(-1)
    return admin.patch(path(), { body: { data: { type, id, attributes: { [field]: text } } } })
  }

  test.each(['a', '😀'])(`${field} has at most ${most} characters: %s`, async (letter) => {
    expect(await send(letter.repeat(most))).toMatchObject({ status: 200 })
    expect(await send(letter.repeat(most + 1))).toMatchObject({
      status: 422,
      body: {
        errors: [
          {
            detail: expect.stringContaining(`${most} characters`),
            source: { pointer: `/data/attributes/${field}` },
          },
        ],
      },
    })
  })
})
