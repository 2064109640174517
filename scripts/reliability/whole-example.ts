import { type Discovered, discover, Policy, type PolicyClass, type Rules, type ServerParts, type User } from 'prismapi'
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
  const { servers, policies } = await discover({ root, resources })
  const whole = (parts: ServerParts): ServerParts => (parts.server === V2 ? { ...parts, server: WholeV2 } : parts)
  return { servers: servers.map(whole), policies: new Map([...policies, ['Change', ChangePolicy as PolicyClass]]) }
}
