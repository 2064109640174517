import { everybody } from '@prismapi/openapi/caller'
import { describe, expect, test } from 'vitest'
import { compiledApi } from '../../../test/support/api-files.ts'
import { grownSchema } from '../../../test/support/grown-schema.ts'
import { largeSchema } from '../../../test/support/large-schema.ts'
import { describeServer, describeType, type ToldServer } from '../src/describe.ts'
import { toolsOf } from '../src/tools.ts'

// A model reads the list of tools before each of its answers: it must not grow with the schema.

const told = (prisma: string): ToldServer => {
  const server = compiledApi({ prisma }) as unknown as ToldServer['server']
  return { server, audience: { ...everybody(server), key: 'all' }, schemas: server.schemas }
}

describe.each([
  ['302 types', largeSchema(302)],
  ['302 types of a grown application', grownSchema(302)],
])('%s', (_, prisma) => {
  const server = told(prisma)

  test('have a list of tools of 40 kB at most', () => {
    expect(server.schemas.byType.size).toBe(302)
    const tools = toolsOf(server, { isReadOnly: false })
    expect(tools.map(({ name }) => name)).toContain('delete')
    expect(JSON.stringify(tools).length).toBeLessThan(40_000)
  })

  test('are described in 12 kB each at most', () => {
    const sizes = [...server.schemas.byType.values()].map(
      (schema) => JSON.stringify(describeType(server, schema)).length,
    )
    expect(Math.max(...sizes)).toBeLessThan(12_000)
    expect(JSON.stringify(describeServer(server)).length).toBeLessThan(40_000)
  })
})
