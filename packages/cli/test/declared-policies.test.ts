import { resolve } from 'node:path'
import type { AnyPolicy, AnyRules } from '@prismapi/core/auth/policy'
import { Prover } from '@prismapi/proof/prover'
import { expect, test } from 'vitest'
import { resources } from '../../../prisma/generated/resources.ts'
import { loadApplication } from '../src/policies/application.ts'
import { policiesOf } from '../src/policies/declared.ts'

const app = await loadApplication(resolve(import.meta.dirname, '../../..'), resources)

/** What is known of a policy of tags, and what is complained of. */
function declared(policy: AnyPolicy) {
  const servers = app.servers.map((each) => Object.freeze({ ...each, policies: new Map([['Tag', policy]]) }))
  const complaints: string[] = []
  const terminal = { say() {}, complain: (line: string) => void complaints.push(line), paint: String }
  const [found] = policiesOf(new Prover({ ...app, servers }), terminal)
  return { rules: found?.rules.map(({ text }) => text), complaints }
}

test('abilities that throw for some callers are told, with what they declared before', () => {
  const policy = {
    abilities({ can }: AnyRules, user: unknown) {
      can('view')
      const { role } = user as { role: string }
      if (role === 'ADMIN') throw new Error('no administrators today')
      can('update')
    },
  }
  const missing = 'so rules may be missing here'
  expect(declared(policy)).toEqual({
    rules: ['can(view)', 'can(update)'],
    complaints: [
      `policies/tag.policy.ts: abilities() throws for guest, ${missing}: Cannot destructure property 'role' of 'user' as it is null.`,
      `policies/tag.policy.ts: abilities() throws for ADMIN, ${missing}: no administrators today`,
    ],
  })
})

test('several callers for whom abilities throw the same are told in one line', () => {
  const policy = {
    abilities() {
      throw new TypeError('for everybody')
    },
  }
  expect(declared(policy)).toEqual({
    rules: [],
    complaints: [
      'policies/tag.policy.ts: abilities() throws for guest, MEMBER, EDITOR, ADMIN, so rules may be missing here: for everybody',
    ],
  })
})
