import { describe, expect, test } from 'vitest'
import { useBoot } from '../support/boot.ts'
import { expectTold } from '../support/documentation/told.ts'

// A model that the serving phase names wrongly is wrong for every caller: the start says so, and no request has to.

const boot = useBoot()
const server = (statement: string, serving = 'serving(phase)') => ({
  'src/app/v1/server.js': `import { Server } from 'prismapi'
export default class V1 extends Server {
  name = 'v1'
  ${serving} {
    ${statement}
  }
}`,
})
const told = 'src/app/v1/server.js: Server v1: '

describe('a model that there is not stops the start', () => {
  test.each([
    ["phase.scope('Pots', { id: 1 })", "scope('Pots'): there is no such model. Did you mean Post?"],
    ["phase.scope('Xyzzyx', { id: 1 })", "scope('Xyzzyx'): there is no such model. Name one of the Prisma schema."],
    ["phase.creating('Pots', () => {})", "creating('Pots'): there is no such model. Did you mean Post?"],
    ["phase.authorizer(class {}, ['Pots'])", "authorizer('Pots'): there is no such model. Did you mean Post?"],
    [
      "phase.created('IdempotencyKey', () => {})",
      "created('IdempotencyKey'): the server has no type for this model. Add it to models of the server's class.",
    ],
  ])('%s', async (statement, message) => {
    await expect(boot(server(statement))).rejects.toThrow(new Error(told + message))
    await expect(boot(server(statement, 'async serving(phase)'))).rejects.toThrow(new Error(told + message))
    if (statement.includes("scope('Pots'")) expectTold(told + message)
    await expect(boot(server(`try { ${statement} } catch {}`))).rejects.toThrow(new Error(told + message))
  })
})

test('what is wrong for some callers only does not', async () => {
  const running = await boot(server('if (phase.user) phase.scope("Pots", { id: 1 }); else phase.user.id'))
  expect(running).toBeDefined()
})
