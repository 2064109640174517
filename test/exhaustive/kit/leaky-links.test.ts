import { leaks } from '@prismapi/testing/kit'
import { Schema } from 'prismapi'
import { describe, expect, test } from 'vitest'
import { callers, failureOf, useTested } from '../../support/kit.ts'
import { linkServers } from '../../support/links/servers.ts'
import type { Database } from '../../support/servers.ts'

// What `leaks` says of an application that lets members take the posts of others, by the relation of their own user.

const { member = {} } = callers
const addTag = async (db: Database['writer']) => {
  await db.tag.create({ data: { name: 'classified matter' } })
}
const told = linkServers()

class Open extends Schema<'User'> {
  override fields() {
    return [this.relation('posts').withoutUpdatePolicy()]
  }
}

function useLinks(parts: typeof told) {
  const { tested, client } = useTested({ parts, callers: { member }, prepare: addTag })
  // The kit is told of relations that ask.
  const options = { client, hidden: { Tag: { name: { startsWith: 'classified' } } }, writes: true }
  const checks = leaks({ ...tested, servers: told.servers }, options)
  return () => failureOf(checks, 'v1 lets member change nothing by a link that member may not update')
}

describe('where links ask the policies of the rows that keep them', () => {
  const failure = useLinks(told)
  test('nothing is changed', async () => expect(await failure()).toBe('nothing failed'))
})

describe('where the relation to posts asks nobody', () => {
  const failure = useLinks(linkServers({ schemas: { User: Open } }))
  test('each way of taking a post is told', async () => {
    const lines = (await failure()).split('\n  ')
    expect(lines[0]).toBe('Rows are changed by links:')
    for (const way of ['POST /api/v1/users/\\d+/relationships/posts', 'PATCH /api/v1/users/\\d+'])
      expect(lines).toContainEqual(
        expect.stringMatching(
          new RegExp(`^${way} \\{.*as member: changes posts \\d+, which the caller may not update$`),
        ),
      )
  })
})
