import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Editor, openEditor } from '../support/editor.ts'

// What TypeScript says of slips in the application's own classes, and what an editor offers in them.

let editor: Editor
beforeAll(async () => {
  editor = await openEditor()
})
afterAll(() => editor.close())

const ruled = (rule: string) => `import { Policy, type Rules } from 'prismapi'
export default class PostPolicy extends Policy<'Post'> {
  override abilities({ can, cannot }: Rules<'Post'>) {
    ${rule}
  }
}
`
const checked = (rules: string, before = '') => `import { ResourceRequest, string, toOne } from 'prismapi'
${before}
export default class PostRequest extends ResourceRequest<'Post', 'summary'> {
  override rules() {
    return this.checked(${rules})
  }
}
`
const queried = (rules: string) => `import { integer, ResourceCollectionQuery } from 'prismapi'
export default class PostCollectionQuery extends ResourceCollectionQuery<'Post'> {
  override rules() {
    return this.checked(${rules})
  }
}
`

describe('a rule of a policy', () => {
  test.each([
    [
      "can('update', { author: { role: 'ADMINN' } })",
      /^role: Type '"ADMINN"' is not assignable to type '.*Role.*'\. Did you mean '"ADMIN"'\?$/,
    ],
    ["can(this.writes, { author: { is: { role: { in: ['ADMINN'] } } } })", /^'ADMINN': .* Did you mean '"ADMIN"'\?$/],
    [
      "can('view', { autor: { role: 'ADMIN' } })",
      /^autor: .* 'autor' does not exist in .* Did you mean to write 'author'\?$/,
    ],
    ["cannot('delete', { OR: [{ titel: 'x' }] })", /^titel: .* Did you mean to write 'title'\?$/],
    [
      "can('view', { authorId: 'x' })",
      /^authorId: Type 'string' is not assignable to type 'number \| IntFilter<"Post">'\.$/,
    ],
    [
      "can('view', { tags: { some: { nam: 'x' } } })",
      /^nam: .* 'nam' does not exist in .* Did you mean to write 'name'\?$/,
    ],
    [
      "can('view', { title: { contain: 'x' } })",
      /^contain: .* 'contain' does not exist in type 'StringFilter<"Post">'/,
    ],
    [
      "can('view', { author: { is: { id: 1 }, id: 1 } })",
      /^id: .* 'id' does not exist in type '\{ is\?: UserWhere; isNot\?: UserWhere; \}'\.$/,
    ],
    ["can('view', { author: null })", /^author: Type 'null' is not assignable to type 'ToOneFilter<UserWhere>'\.$/],
    [
      "can('view', { title: null })",
      /^title: Type 'null' is not assignable to type 'string \| StringFilter<"Post">'\.$/,
    ],
    ["can('view', ['titel'])", /^'titel': .* Did you mean '"title"'\?$/],
    [
      "can('view', 'titel', { authorId: 1 })",
      /^'titel': Argument of type '"titel"' .* 'OneOrMore<FieldOf<"Post", never>>'\.$/,
    ],
    ["can('view', 'title', { autorId: 1 })", /^autorId: .* Did you mean to write 'authorId'\?$/],
    ["can('create', { authorId: 1 })", /'"create is about no row that could meet a condition"'\.$/],
    ["can('delete', 'title')", /'"only view, create and update are about fields"'\.$/],
  ])('%s', async (rule, message) => {
    expect(await editor.problems(ruled(rule))).toEqual([expect.stringMatching(message)])
  })

  const values = ['ADMIN', 'EDITOR', 'MEMBER']
  test.each([
    ["can('update', { author: { role: '/*|*/' } })", values],
    ["can(['update', 'delete'], { author: { is: { role: { in: ['/*|*/'] } } } })", values],
    ["can('view', '/*|*/')", ['title', 'author', 'comments']],
    ["cannot('view', 'title', { /*|*/ })", ['OR', 'title', 'author']],
    ['can(this.writes, { author: { /*|*/ } })', ['role', 'email', 'is']],
    ["can('view', { authorId: { /*|*/ } })", ['gte', 'not', 'in']],
    ["can('view', { tags: { /*|*/ } })", ['some', 'every', 'none']],
    ["can('/*|*/')", ['*reads', 'viewAny', 'attachTags']],
  ])('%s is offered', async (rule, names) => {
    const offered = await editor.offered(ruled(rule))
    expect(offered).toEqual(expect.arrayContaining(names))
    expect(offered.length).toBeLessThan(25)
  })
})

describe('the rules of a request', () => {
  test.each([
    [
      '{ title: string(), titel: string() }',
      /^titel: .* 'titel' does not exist in .* Did you mean to write 'title'\?$/,
    ],
    ["{ 'tag.*': string() }", /^'tag\.\*': .* "'tag\.\*' is no field of Post": "tags" \| "title"; /],
  ])('%s', async (rules, message) => {
    expect(await editor.problems(checked(rules))).toEqual([expect.stringMatching(message)])
  })

  test('a constant', async () => {
    const constant = 'const rules = { title: string(), autor: toOne() }'
    const [problem, ...others] = await editor.problems(checked('rules', constant))
    expect(problem).toMatch(/^rules: /)
    expect(problem).toMatch(
      /Property '"'autor' is no field of Post"' is missing .* "'autor' is no field of Post": "author" \| "authorId";/,
    )
    expect(others).toEqual([])
  })

  test.each(['{ /*|*/ }', '{ title: string(), /*|*/ }'])('%s is offered fields', async (rules) => {
    const offered = await editor.offered(checked(rules))
    expect(offered).toEqual(expect.arrayContaining(['content', 'author', 'tags', 'summary']))
    expect(offered.length).toBeLessThan(20)
  })
})

describe('the rules of a query', () => {
  test('are told which parameter there is not', async () => {
    expect(await editor.problems(queried("{ srot: integer(), 'page.size': integer() }"))).toEqual([
      expect.stringMatching(/^srot: .* 'srot' does not exist in .* "'srot' is no query parameter": "sort"; /),
    ])
  })

  test('are offered the parameters', async () => {
    const offered = await editor.offered(queried('{ /*|*/ }'))
    expect(offered).toEqual(expect.arrayContaining(['page', 'sort', 'filter', 'withCount']))
    expect(offered.length).toBeLessThan(12)
  })
})
