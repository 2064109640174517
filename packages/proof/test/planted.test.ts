import path from 'node:path'
import { readApplication } from '@prismapi/cli/policies/application'
import type { AnyPolicy, AnyRules, PolicyClass } from '@prismapi/core/auth/policy'
import type { ModelMeta } from '@prismapi/jsonapi/model/meta'
import { afterAll, expect, test } from 'vitest'
import { declarationsOf } from '../src/coverage/declared-rules.ts'
import { mutate, mutationsOf } from '../src/coverage/mutants.ts'
import { differences } from '../src/differences.ts'
import { policyModel } from '../src/model/policy-model.ts'
import { type Proved, Prover } from '../src/prover.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const app = await readApplication(root)
const prover = new Prover(app)
const there = await prover.model()
afterAll(() => prover.close())

const [server] = app.servers
const classOf = (model: string) => server?.policies.get(model)?.constructor as PolicyClass

/** The example with another policy of one model. */
function withPolicy(model: string, policy: AnyPolicy): Proved {
  const servers = app.servers.map((each) =>
    Object.freeze({ ...each, policies: new Map<string, AnyPolicy>([...each.policies, [model, policy]]) }),
  )
  return { ...app, servers }
}

const users = [
  null,
  ...['MEMBER', 'EDITOR', 'ADMIN'].map((role) => ({ id: 1, name: 'A', email: 'a@example.com', role })),
]

/** A rule of a policy that nobody wrote, in each of the ways in which too much is allowed. */
const planted = [...(server?.policies ?? [])].flatMap(([model, policy]) => {
  const rules = [...declarationsOf(policy, users).rules]
  const widened = rules.flatMap(([rule, declaration]) =>
    mutationsOf(declaration)
      .filter(({ kind }) => kind === 'widen')
      .map((mutation) => ({
        model,
        what: `${rule} without its condition`,
        policy: mutate(new (classOf(model))(), { rule, mutation }),
      })),
  )
  const to = (
    what: string,
    allows: (user: Record<string, unknown> | null) => boolean,
    actions: string | string[],
    where?: object,
  ) => ({
    model,
    what: `${what} may ${actions}${where ? ` ${JSON.stringify(where)}` : ''}`,
    policy: new (class extends classOf(model) {
      override abilities(rules: AnyRules, user: unknown): void {
        super.abilities(rules, user)
        if (allows(user as Record<string, unknown> | null)) where ? rules.can(actions, where) : rules.can(actions)
      }
    })(),
  })
  const { key } = app.resources.models[model] as ModelMeta
  return [
    ...widened,
    to('guests', (user) => user === null, 'delete'),
    to('members', (user) => user?.role === 'MEMBER', ['update', 'delete'], {
      [key[0] as string]: model === 'Video' ? 'x' : 7,
    }),
    to('editors', (user) => user?.role === 'EDITOR', 'delete', {
      NOT: { [key[0] as string]: model === 'Video' ? 'x' : 7 },
    }),
  ]
})

/** Rules of users about fields, and each with one that allows too much behind it. */
const hidden = (rules: AnyRules): void => {
  rules.cannot(['view', 'update'], 'email')
  rules.can('view', 'email', { id: 7 })
}

const ofFields: readonly (readonly [string, string, (rules: AnyRules) => void])[] = [
  ['view', 'the email of every user is seen', (rules) => rules.can('view', 'email')],
  ['update', 'the email of one user may be changed', (rules) => rules.can('update', 'email', { name: 'A' })],
]

const usersWith = (...declares: readonly ((rules: AnyRules) => void)[]): Proved =>
  withPolicy(
    'User',
    new (class extends classOf('User') {
      override abilities(rules: AnyRules, user: unknown): void {
        super.abilities(rules, user)
        for (const declare of declares) if (user !== null) declare(rules)
      }
    })(),
  )

test.each(ofFields)('%s of a field is found, with a row: %s', async (action, _, allows) => {
  const [before, after] = [usersWith(hidden), usersWith(hidden, allows)]
  const changed = new Prover(after)
  try {
    const here = await policyModel(after.servers, prover.personas, app.userType)
    const { changes } = await differences(
      changed,
      here,
      await policyModel(before.servers, prover.personas, app.userType),
    )
    const ofEmail = changes.filter(({ field }) => field !== undefined)
    expect(ofEmail.map((change) => [change.model, change.action, change.field, change.was, change.is])).toEqual(
      ['MEMBER', 'EDITOR', 'ADMIN'].map(() => ['User', action, 'email', 'denied', 'allowed']),
    )
    expect(ofEmail.every(({ row }) => row?.email !== undefined && row.id !== 7)).toBe(true)
  } finally {
    await changed.close()
  }
})

test('there are twenty and more of them', () => {
  expect(new Set(planted.map(({ model }) => model))).toEqual(new Set(server?.policies.keys()))
  expect(planted.length).toBeGreaterThanOrEqual(20)
})

// EDITORs delete any comment or post as it is, and so gain nothing there.
const changesNothing = /^(Comment|Post): editors may delete/

test.each(planted.map((each) => [`${each.model}: ${each.what}`, each] as const))(
  '%s is found, with a row',
  async (name, { model, policy }) => {
    const proved = withPolicy(model, policy)
    const changed = new Prover(proved)
    try {
      const here = await policyModel(proved.servers, prover.personas, app.userType)
      const { changes } = await differences(changed, here, there)
      if (changesNothing.test(name)) return expect(changes).toEqual([])
      expect(changes.length).toBeGreaterThan(0)
      // What goes with a row is told of the other model, with the request that does it.
      const about = changes.map((change) => (change.by?.startsWith(`delete of ${model},`) ? model : change.model))
      expect(changes.map((change, i) => [about[i], change.was, change.is])).toEqual(
        changes.map(() => [model, 'denied', 'allowed']),
      )
      expect(changes.every(({ row }) => row !== null)).toBe(true)
    } finally {
      await changed.close()
    }
  },
)
