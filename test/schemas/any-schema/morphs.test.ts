import { expect, test } from 'vitest'
import { schemaClasses } from '../../support/any-schema/schema-classes.ts'
import { to, toOne, useFixture } from '../../support/any-schema/use-fixture.ts'

const api = useFixture('morphs', { schemas: schemaClasses.morphs ?? {} })

test('what is added to one end of a polymorphic relation leaves the other that it was at', async () => {
  const post = await api.create('posts', { title: 'a' })
  const video = await api.create('videos', { title: 'b' })
  const comment = await api.create('comments', { text: 'c' }, { commentable: toOne('posts', post) })
  const { status } = await api.ask('POST', `/videos/${video}/relationships/comments`, to('comments', comment))
  expect([
    status,
    await api.linkage(`/comments/${comment}/relationships/commentable`),
    await api.linkage(`/posts/${post}/relationships/comments`),
    await api.linkage(`/videos/${video}/relationships/comments`),
  ]).toEqual([204, toOne('videos', video).data, [], to('comments', comment).data])
})

test('a new resource takes them along as well', async () => {
  const post = await api.create('posts', { title: 'a' })
  const comment = await api.create('comments', { text: 'c' }, { commentable: toOne('posts', post) })
  const video = await api.create('videos', { title: 'b' }, { comments: to('comments', comment) })
  expect(await api.linkage(`/comments/${comment}/relationships/commentable`)).toEqual(toOne('videos', video).data)
})
