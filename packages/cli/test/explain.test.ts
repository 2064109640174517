import { expect, test } from 'vitest'
import { type Explained, explainPage } from '../src/explain/page.ts'

const shared = { action: 'delete', type: 'posts', id: '1', allowed: false, message: null }

test('a request class that denies has its line, and the policy behind it that would deny, too', () => {
  const rule = { rule: 2, effect: 'can', at: 'policies/post.policy.ts:9', where: { authorId: 3 }, holds: false }
  const next = { ...shared, by: 'rules', place: 'policies/post.policy.ts', decisive: null, rules: [rule] }
  const explained: Explained = {
    ...{ method: 'DELETE', path: '/posts/1', as: null, status: 403, errors: [], user: null, milliseconds: 1 },
    ...{ scopes: {}, prices: [], levels: [], stages: {} },
    decisions: [
      { ...shared, by: 'request', place: 'authorize() of PostRequest', at: 'requests/post.request.ts:5', next },
    ],
  }
  const page = explainPage(explained, { paint: (_, text) => text })
  expect(page.split('\n').slice(1, 8)).toEqual([
    'delete of posts is denied at requests/post.request.ts:5',
    'behind it, delete of posts is denied at policies/post.policy.ts:9: no rule that allows it holds for this row',
    '',
    'decisions',
    '  delete of posts 1: denied, by authorize() of PostRequest, requests/post.request.ts:5',
    '    delete of posts 1: denied, by rules of policies/post.policy.ts',
    '      - rule 2, policies/post.policy.ts:9: can where {"authorId":3}: does not hold',
  ])
})
