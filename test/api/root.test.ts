import { expect, test } from 'vitest'
import { expectAnswer } from '../support/answers.ts'
import { useApi } from '../support/api.ts'
import { at, jsonapi } from '../support/row-documents.ts'

const api = useApi()

const models = { posts: 'Post', comments: 'Comment', tags: 'Tag', videos: 'Video', users: 'User', profiles: 'Profile' }

test('the root of a server tells a guest which types there are, and where', async () => {
  const types = Object.entries(models).map(([type, model]) => [type, { model, links: { self: at(`/${type}`) } }])
  const document = { jsonapi, links: { self: at('') }, meta: { types: Object.fromEntries(types) } }
  expectAnswer(await api.guest.get('/api/v1'), 200, document)
})

test('every type that it names answers where it says', async () => {
  const { body } = await api.guest.get('/api/v1')
  const names = Object.keys(body.meta.types)
  const answers = await Promise.all(
    names.map((type) => api.as(1).get(body.meta.types[type].links.self.replace(at(''), ''))),
  )
  expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200))
})
