import { randomUUID } from 'node:crypto'
import type { Serving } from 'prismapi'
import { expect, test } from 'vitest'
import V1 from '../../src/app/v1/server.ts'
import { users } from '../support/api.ts'
import { addTag } from '../support/rows.ts'
import { exampleWith, useServers } from '../support/servers.ts'

// What a hook writes to another model may break a constraint of that model: the resource of the request is not to blame.

let taken: { readonly id: number; readonly name: string }

class Tagging extends V1 {
  override serving(phase: Serving): void {
    super.serving(phase)
    phase.created('Video', async ({ title }, event) => {
      await event.asSystem().tag.create({ data: title === 'by id' ? { ...taken, name: title } : { name: taken.name } })
    })
  }
}

const servers = useServers(async () => ({ ...(await exampleWith(Tagging)), production: true }))

test.each(['by id', 'by name'])('a row that a hook makes twice, %s, is 409, on every database', async (title) => {
  taken = await addTag(servers.db, `a tag ${randomUUID()}`)
  const data = { type: 'videos', id: randomUUID(), attributes: { title, url: 'https://example.org' } }
  const { status, body } = await servers.as(users.member3)('POST', '/api/v1/videos', { body: { data } })
  expect({ status, body }).toEqual({
    status: 409,
    body: {
      jsonapi: { version: '1.0' },
      errors: [
        {
          status: '409',
          title: 'Conflict',
          detail: 'The resource is in conflict with another one.',
          code: 'constraint',
        },
      ],
    },
  })
  expect(await servers.db.video.count({ where: { id: data.id } })).toBe(0)
})
