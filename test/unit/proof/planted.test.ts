import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { AnyPolicy, PolicyClass } from '../../../src/auth/policy.ts'
import { readApplication } from '../../../src/cli/policies/application.ts'
import { declarationsOf } from '../../../src/coverage/declared-rules.ts'
import type { ModelMeta } from '../../../src/model/meta.ts'
import { differences } from '../../../src/proof/differences.ts'
import { policyModel } from '../../../src/proof/model/policy-model.ts'
import { type Proved, Prover } from '../../../src/proof/prover.ts'
import { type Mutation, mutated, mutationsOf } from '../../support/mutants.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const app = await readApplication(root)
const prover = new Prover(app)
const there = await prover.model()
afterAll(() => prover.close())

const [server] = app.servers
const classOf = (model: string) => server?.policies.get(model)?.constructor as PolicyClass

/** The example with another policy of one model. */
function withPolicy(model: string, Class: PolicyClass): Proved {
  const servers = app.servers.map((each) =>
    Object.freeze({ ...each, policies: new Map<string, AnyPolicy>([...each.policies, [model, new Class()]]) }),
  )
  return { ...app, servers }
}

const users = [
  null,
  ...['MEMBER', 'EDITOR', 'ADMIN'].map((role) => ({ id: 1, name: 'A', email: 'a@example.com', role })),
]

/** A rule of a policy that nobody wrote, in each of the ways in which too much is allowed. */
const planted = [...(server?.policies ?? [])].flatMap(([model, policy]) => {
  const rules = [...declarationsOf(policy, users)]
  const widened = rules.flatMap(([rule, declaration]) =>
    mutationsOf(declaration)
      .filter(({ kind }) => kind === 'widen')
      .map((mutation: Mutation) => ({
        model,
        what: `${rule} without its condition`,
        Class: mutated(classOf(model), { rule, mutation }),
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
    Class: class extends classOf(model) {
      override abilities(rules: never, user: unknown): void {
        super.abilities(rules, user)
        const { can } = rules as { can(actions: string | string[], where?: object): void }
        if (allows(user as Record<string, unknown> | null)) where ? can(actions, where) : can(actions)
      }
    } as PolicyClass,
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

test('there are twenty and more of them', () => {
  expect(new Set(planted.map(({ model }) => model))).toEqual(new Set(server?.policies.keys()))
  expect(planted.length).toBeGreaterThanOrEqual(20)
})

// EDITORs delete any comment or post as it is, and so gain nothing there.
const changesNothing = /^(Comment|Post): editors may delete/

test.each(planted.map((each) => [`${each.model}: ${each.what}`, each] as const))(
  '%s is found, with a row',
  async (name, { model, Class }) => {
    const proved = withPolicy(model, Class)
    const changed = new Prover(proved)
    try {
      const here = await policyModel(proved.servers, prover.personas, app.userType)
      const { changes } = await differences(changed, here, there)
      if (changesNothing.test(name)) return expect(changes).toEqual([])
      expect(changes.length).toBeGreaterThan(0)
      expect(changes.map((change) => [change.model, change.was, change.is])).toEqual(
        changes.map(() => [model, 'denied', 'allowed']),
      )
      expect(changes.every(({ row }) => row !== null)).toBe(true)
    } finally {
      await changed.close()
    }
  },
)
