import { expect, test } from 'vitest'
import { useBoot } from '../support/boot.ts'
import { expectTold } from '../support/documentation/told.ts'

// What a file is for, its name says. The start refuses a class of another kind, and says which one belongs there.

const boot = useBoot()

const another =
  'requests/post.request.js: its default export is no ResourceRequest. Write "export default class … extends ResourceRequest".'
const none = 'policies/post.policy.js: it has no class as its default export. Write "export default class …".'

const policy = "import { Policy } from 'prismapi'\nexport default class extends Policy {}"

test.each([
  [another, policy],
  [
    'requests/post.query.js: its default export is no ResourceQuery. Write "export default class … extends ResourceQuery".',
    policy,
  ],
  [
    'requests/post.collection-query.js: its default export is no ResourceCollectionQuery. Write "export default class … extends ResourceCollectionQuery".',
    policy,
  ],
  [
    'policies/post.policy.js: its default export is no Policy. Write "export default class … extends Policy".',
    'export default () => true',
  ],
  [
    'src/app/v1/post.schema.js: its default export is no Schema. Write "export default class … extends Schema".',
    policy,
  ],
  [
    'src/app/v2/server.js: its default export is no Server. Write "export default class … extends Server".',
    'export default class V2 { name = "v2" }',
  ],
  [none, "import { Policy } from 'prismapi'\nexport class PostPolicy extends Policy {}"],
])('%s', async (said, text) => {
  const [file = ''] = said.split(':', 1)
  await expect(boot({ [file]: text })).rejects.toThrow(said)
})

test('docs/troubleshooting.md quotes both faults', () => [another, none].forEach(expectTold))
