import { expect, test } from 'vitest'
import { useBoot } from '../../support/boot.ts'

const boot = useBoot()
const start = (rule: string) =>
  boot({
    'policies/post.policy.js': `import { Policy } from 'prismapi'
export default class PostPolicy extends Policy {
  abilities({ can, cannot }) {
    ${rule}
  }
}`,
  })

test.each([
  [
    "cannot('view', 'contents')",
    'policies/post.policy.ts, abilities: the model Post has no field "contents". Did you mean "content"?',
  ],
  [
    "can('delete', ['title'])",
    'policies/post.policy.ts, abilities: the rule for delete names fields, but delete has none. Rules for view, create and update may name some.',
  ],
  [
    "can(this.reads, 'title')",
    'policies/post.policy.ts, abilities: the rule for viewAny names fields, but viewAny has none. Rules for view, create and update may name some.',
  ],
  [
    "can('view', [])",
    'policies/post.policy.ts, abilities: the rule for view names no field. Leave the empty list out.',
  ],
  [
    "cannot('view', ['id'])",
    'policies/post.policy.ts, abilities: a rule names id, but the id of a row is always seen. Leave it out.',
  ],
  [
    "can('create', 'title', { authorId: 1 })",
    'policies/post.policy.ts, abilities: the rule for create has a condition, but create has no row to hold it against.',
  ],
])('%s stops the start', async (rule, message) => {
  await expect(start(rule)).rejects.toThrow(message)
})

test.each([
  "can('view', 'title')",
  "cannot('view', ['author', 'authorId', 'tags'])",
  "can('update', 'content', { authorId: 1 })",
])('%s is a rule', async (rule) => {
  await expect(start(rule)).resolves.toBeDefined()
})
