import { Policy, type Rules, string, type User } from 'prismapi'
import type { Validator } from 'prismapi/rules'
import type { Discovered, ServerParts } from 'prismapi/types'

// What applications add to a server, each of it about fields that rules hide: filters, sorts, actions, rules of requests, restores.

type Parts = Pick<Discovered, 'policies' | 'servers'>
// biome-ignore lint/suspicious/noExplicitAny: the classes of the example, whichever server they are of
type Class = new (...args: any) => any

const schemaWith = (Own: Class): Class =>
  class extends Own {
    fields() {
      return [...super.fields(), this.relation('tags').countable()]
    }
    filters() {
      return [
        this.filter('noted', { where: (text: string) => ({ synopsis: text }) }),
        this.filter('told', { where: (text: string) => ({ content: { startsWith: text } }) }),
        this.filter('sealed', { where: (name: string) => ({ tags: { some: { name } } }) }),
      ]
    }
    sorts() {
      return [this.sort('noteworthy', 'synopsis'), this.sort('tagged', '-tags.count')]
    }
    actions() {
      return [
        ...super.actions(),
        this.action('note', {
          rules: { synopsis: string().nullable() },
          handle: ({ row, input, save }: { row: never; input: object; save: (...args: unknown[]) => unknown }) =>
            save('Post', row, input),
        }),
      ]
    }
  }

/** It compares with what is there, and says what that is. */
const requestWith = (Own: Class): Class =>
  class extends Own {
    withExisting(_post: unknown, existing: Readonly<Record<string, unknown>>) {
      return { ...existing, was: existing.synopsis }
    }
    withValidator(validator: Validator) {
      super.withValidator(validator)
      const { was } = validator.data
      if (String(was).startsWith('Other')) validator.fail('title', `It was noted: ${was}.`)
    }
  }

const policyWith = (Own: Class): Class =>
  class extends Own {
    abilities(rules: Rules<'Post'>, user: User | null) {
      super.abilities(rules, user)
      if (user) rules.can(['viewTrashed', 'note'] as never)
    }
  }

export function withMoreDoors(parts: Parts): Parts {
  const ownPolicy = parts.policies.get('Post') ?? Policy
  const servers = parts.servers.map((each): ServerParts => {
    const [schema, own] = [each.schemas.get('Post'), each.requests.get('Post')]
    if (!schema || !own?.request) throw new Error('The example has a schema and a request class of posts.')
    return {
      ...each,
      schemas: new Map([...each.schemas, ['Post', schemaWith(schema) as never]]),
      requests: new Map([...each.requests, ['Post', { ...own, request: requestWith(own.request) as never }]]),
    }
  })
  return {
    ...parts,
    servers,
    policies: new Map([...parts.policies, ['Post', policyWith(ownPolicy as Class) as never]]),
  }
}
