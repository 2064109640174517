import { expect, test } from 'vitest'
import { useBoot } from '../../support/boot.ts'

const boot = useBoot()

const request = (method: string, body: string) => `import { ResourceRequest, integer, string } from 'prismapi'
export default class PostRequest extends ResourceRequest {
  ${method}() {
    ${body}
  }
}`

test('rules for fields that exist let the application start', async () => {
  await boot({ 'requests/post.request.js': request('rules', "return { title: string(), 'tags.*.id': string() }") })
})

test.each([
  [
    'that is misspelt',
    'rules',
    'return { titel: string() }',
    'PostRequest: there is no field for the rule titel.',
    'title?',
  ],
  [
    'and what lies below it',
    'rules',
    "return { 'tag.*.id': string() }",
    'PostRequest: there is no field for the rule tag.*.id.',
    'tags?',
  ],
  [
    'in the rules of a deletion',
    'deleteRules',
    'return { titel: string() }',
    'PostRequest: there is no field for the rule titel.',
    'title?',
  ],
  [
    'that nothing resembles',
    'rules',
    'return { stuff: string() }',
    'PostRequest: there is no field for the rule stuff.',
    'Remove it, or declare the field.',
  ],
  [
    'only of updates',
    'rules',
    'return this.isUpdating() ? { titel: string() } : {}',
    'PostRequest: there is no field for the rule titel.',
    'title?',
  ],
  [
    'in rules that depend on the user',
    'rules',
    'return { titel: string(), ...(this.user && { slug: string() }) }',
    'PostRequest: there is no field for the rule titel.',
    'title?',
  ],
])('a rule for a field %s stops the start, with the file and the cure', async (_, method, body, fault, cure) => {
  const started = boot({ 'requests/post.request.js': request(method, body) })
  await expect(started).rejects.toThrow(`requests/post.request.js: ${fault}`)
  await expect(started).rejects.toThrow(cure)
})

test.each(['this.user.role', 'this.model().id', 'this.validationData().title'])(
  'rules that need %s need a request',
  async (what) => {
    await boot({ 'requests/post.request.js': request('rules', `return ${what} ? { title: string() } : {}`) })
  },
)

test('a foreign key and a hidden field have no rule either', async () => {
  const inKey = boot({ 'requests/post.request.js': request('rules', 'return { authorId: integer() }') })
  await expect(inKey).rejects.toThrow('requests/post.request.js: PostRequest: there is no field for the rule authorId.')
  const user =
    "import { ResourceRequest, string } from 'prismapi'\nexport default class UserRequest extends ResourceRequest { rules() { return { passwordHash: string() } } }"
  await expect(boot({ 'requests/user.request.js': user })).rejects.toThrow(
    'requests/user.request.js: UserRequest: there is no field for the rule passwordHash.',
  )
})

test('a server’s own request class is named by its own file', async () => {
  const files = {
    'requests/post.request.js': request('rules', 'return { title: string() }'),
    'requests/v1/post.request.js': request('rules', 'return { titel: string() }'),
  }
  await expect(boot(files)).rejects.toThrow('requests/v1/post.request.js: ')
})

test.each(['query', 'collection-query'])(
  'a rule of %s for what is no query parameter stops the start, too',
  async (role) => {
    const query = `import { ResourceQuery, string } from 'prismapi'
export default class Query extends ResourceQuery { rules() { return { 'filters.title': string() } } }`
    await expect(boot({ [`requests/post.${role}.js`]: query })).rejects.toThrow(
      `requests/post.${role}.js: Query: there is no field for the rule filters.title. Did you mean filter?`,
    )
  },
)

test('rules that fail by themselves stop the start, and the file is named', async () => {
  const started = boot({ 'requests/post.request.js': request('rules', 'return { title: string().unheard() }') })
  await expect(started).rejects.toThrow(/^requests\/post\.request\.js: .*unheard is not a function/)
})

test('what is no rule stops the start', async () => {
  const started = boot({ 'requests/post.request.js': request('rules', "return { title: 'required' }") })
  await expect(started).rejects.toThrow('requests/post.request.js: PostRequest: the rule of title is no yup schema.')
})
