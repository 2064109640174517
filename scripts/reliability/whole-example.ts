import { discover, Policy, type Rules, type User } from 'prismapi'
import type { Discovered, PolicyClass, ServerParts } from 'prismapi/types'
import { resources } from '../../prisma/generated/resources.ts'
import V2 from '../../src/app/v2/server.ts'

// The example with what it leaves off: the log of changes as a type of v2.

class WholeV2 extends V2 {
  override readonly live = { trail: true }
}

class ChangePolicy extends Policy {
  override abilities({ can }: Rules, user: User | null) {
    if (user) can(this.reads)
  }
}

export async function wholeExample(root: string): Promise<Discovered> {
  const { servers, policies, ...found } = await discover({ root, resources })
  const whole = (parts: ServerParts): ServerParts => (parts.server === V2 ? { ...parts, server: WholeV2 } : parts)
  return {
    ...found,
    servers: servers.map(whole),
    policies: new Map([...policies, ['Change', ChangePolicy as PolicyClass]]),
  }
}
