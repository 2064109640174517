import path from 'node:path'
import { readApplication } from '@prismapi/cli/policies/application'
import type { AnyRules } from '@prismapi/core/auth/policy'
import { expect, test } from 'vitest'
import { checkAssertion, parseAssertion } from '../src/assertion.ts'
import { type Proved, Prover } from '../src/prover.ts'

const app = await readApplication(path.resolve(import.meta.dirname, '../../..'))

/** Checks a sentence that no row keeps, of an application whose rows are not confirmed. */
async function check(proved: Proved) {
  const prover = new Prover(proved)
  try {
    return await checkAssertion(prover, await prover.model(), parseAssertion('MEMBER never update Post'))
  } finally {
    await prover.close()
  }
}

test('a row that the policies do not confirm is an error, and no answer', async () => {
  const policy = {
    abilities({ can }: AnyRules, user: { readonly id: number } | null) {
      // The proof asks with large ids, and shows a row with a small one.
      if (user && Math.abs(user.id) > 1000) can('update', { authorId: user.id })
    },
  }
  const servers = app.servers.map((each) => Object.freeze({ ...each, policies: new Map([['Post', policy as never]]) }))
  await expect(check({ ...app, servers })).rejects.toThrow(
    /^A fault of the proof, or of code that compares a claim with a constant: the policies of v1 say something else of update and this Post than its formula: \{"id":1,/,
  )
})

test('a row that the reader does not confirm is an error, and no answer', async () => {
  const openScratch = async () => ({ ...(await app.openScratch()), reader: { read: async () => 0 } as never })
  await expect(check({ ...app, openScratch })).rejects.toThrow(
    /^A fault of the proof: the reader of v1 says something else of update and this Post than its formula: /,
  )
})
