import type { SchemaClass } from '@prismapi/jsonapi/schema/schema'
import { Schema, type Serving } from 'prismapi'
import { describe, expect, test } from 'vitest'
import { toOne, useFixture } from '../../support/any-schema/use-fixture.ts'

// Secrets that models need: to be created, and to be named.

const webhook = { data: { type: 'webhooks', attributes: { url: 'https://a.example', secret: 'x' } } }

describe('without a word of the application', () => {
  const api = useFixture('secrets')

  test('a secret that rows need is sent with them, and never shown', async () => {
    const { data } = webhook
    const missing = await api.ask('POST', '/webhooks', {
      data: { ...data, attributes: { url: data.attributes.url } },
    })
    const made = await api.ask('POST', '/webhooks', webhook)
    const probes = await Promise.all(
      ['filter[secret]=x', 'sort=secret', 'fields[webhooks]=secret'].map(
        async (query) => (await api.ask('GET', `/webhooks?${query}`)).status,
      ),
    )
    expect([missing.status, missing.body.errors[0].meta, made.status, made.body.data.attributes, probes]).toEqual([
      422,
      { field: 'secret' },
      201,
      { url: 'https://a.example' },
      [400, 400, 400],
    ])
  })

  test('what a secret names is no type', async () => {
    const types = ['sessions', 'verification-tokens']
    const answers = await Promise.all(types.map(async (type) => (await api.ask('GET', `/${type}`)).status))
    expect(answers).toEqual([404, 404])
    const user = await api.create('users', { email: 'a@example.com' })
    expect((await api.ask('GET', `/users/${user}/sessions`)).status).toBe(404)
  })

  test('what a hash names is one', async () => {
    expect(await api.create('commits', { message: 'first' }, {}, { id: 'c0ffee' })).toBe('c0ffee')
  })
})

describe('where the application takes it into its hands', () => {
  class SessionSchema extends Schema {
    override fields() {
      return [this.attribute('sessionToken' as never).visible()]
    }
  }
  class WebhookSchema extends Schema {
    override fields() {
      return [this.attribute('secret' as never).hidden()]
    }
  }
  const api = useFixture('secrets', {
    schemas: {
      Session: SessionSchema as unknown as SchemaClass,
      Webhook: WebhookSchema as unknown as SchemaClass,
    },
    serving(phase: Serving) {
      const { creating } = phase as unknown as Record<string, (model: string, hook: () => object) => void>
      creating?.('Webhook', () => ({ secret: 'from a hook' }))
    },
  })

  test('a hook fills what clients cannot', async () => {
    const { data } = webhook
    const id = await api.create('webhooks', { url: data.attributes.url })
    const { body } = await api.ask('GET', `/webhooks/${id}`)
    expect(body.data.attributes).toEqual({ url: 'https://a.example' })
  })

  test('a schema class shows what names a row', async () => {
    const user = await api.create('users', { email: 'b@example.com' })
    const expires = '2030-01-01T00:00:00.000Z'
    const id = await api.create('sessions', { expires }, { user: toOne('users', user) }, { id: 'a-token' })
    expect([id, await api.linkage(`/users/${user}/relationships/sessions`)]).toEqual([
      'a-token',
      [{ type: 'sessions', id: 'a-token' }],
    ])
  })
})
