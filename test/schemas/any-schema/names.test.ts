import { expect, test } from 'vitest'
import { to, toOne, useFixture } from '../../support/any-schema/use-fixture.ts'

// The names that types and relations get where the obvious one is odd, or taken.

const api = useFixture('strangers')

test('types keep acronyms, digits and versions whole', async () => {
  const { body } = await api.ask('GET', '')
  const named = Object.entries<{ model: string }>(body.meta.types).map(([type, { model }]) => [model, type])
  expect(Object.fromEntries(named)).toMatchObject({
    OAuthClient: 'oauth-clients',
    OAuthClientV2: 'oauth-clients-v2',
    Model3D: 'model-3ds',
    ModelVersionV2: 'model-versions-v2',
  })
})

test('several links between the same two models are relations by the names of their lists', async () => {
  const model = await api.create('model-3ds', { name: 'chair' })
  const version = (label: string) => api.create('model-versions-v2', { label }, { model: toOne('model-3ds', model) })
  const [first, second] = [await version('first'), await version('second')]
  const url = `/model-3ds/${model}`
  const linked = await api.ask('PATCH', url, {
    data: {
      type: 'model-3ds',
      id: model,
      relationships: {
        engagementVersions: to('model-versions-v2', first, second),
        downloadVersions: to('model-versions-v2', second),
        metricVersions: to('model-versions-v2', first),
      },
    },
  })
  expect([linked.status, linked.body.errors]).toEqual([200, undefined])
  const related = async (name: string) =>
    (await api.ask('GET', `${url}/${name}`)).body.data.map(({ id }: { id: string }) => id)
  expect(await related('engagementVersions')).toEqual([first, second])
  expect(await related('downloadVersions')).toEqual([second])
  expect(await related('metricVersions')).toEqual([first])
  expect(await related('versions')).toEqual([first, second])
  const theOthers = (version: string) =>
    Promise.all(
      ['models', 'downloadModels'].map((name) => api.linkage(`/model-versions-v2/${version}/relationships/${name}`)),
    )
  const [downloaded] = to('model-3ds', model).data
  const engaged = { ...downloaded, meta: { kind: null } }
  expect([await theOthers(first), await theOthers(second)]).toEqual([
    [[engaged], []],
    [[engaged], [downloaded]],
  ])
  for (const name of ['model3DVersions', 'model3DVersions2', 'modelModels'])
    expect((await api.ask('GET', `${url}/${name}`)).status).toBe(404)
})
