import path from 'node:path'
import { readApplication } from '@prismapi/cli/policies/application'
import type { AnyPolicy, AnyRules } from '@prismapi/core/auth/policy'
import { expect, test } from 'vitest'
import type { ClaimType, UserType } from '../src/model/persona.ts'
import { withReadClaims } from '../src/model/read-claims.ts'
import { Prover } from '../src/prover.ts'

const app = await readApplication(path.resolve(import.meta.dirname, '../../..'))

const flag: ClaimType = { kind: 'values', values: [false, true] }
const flags = Array.from({ length: 20 }, (_, i) => `flag${i}`)

/** A row of a user with 20 flags and 20 columns that may be null. */
const wide: UserType = {
  ...app.userType,
  claims: {
    ...app.userType.claims,
    ...Object.fromEntries(flags.map((name) => [name, flag])),
    ...Object.fromEntries(flags.map((name) => [`${name}At`, { kind: 'symbol', type: 'DateTime', isNullable: true }])),
  },
}

type Wide = Readonly<Record<string, unknown>> | null

/** The example, with a policy of posts that reads what the test says. */
function readingPosts(reads: (user: NonNullable<Wide>) => boolean) {
  const policy = {
    abilities(rules: AnyRules, user: Wide) {
      if (user && reads(user)) rules.can('view')
    },
  } as AnyPolicy
  return app.servers.map((each) => Object.freeze({ ...each, policies: new Map([...each.policies, ['Post', policy]]) }))
}

const known = ({ claims }: UserType): readonly string[] =>
  Object.keys(claims).filter((name) => claims[name]?.kind !== 'unknown' && name.startsWith('flag'))

test('few kinds of callers stay as they are', async () => {
  expect(await withReadClaims(app.servers, app.userType)).toBe(app.userType)
})

test('claims that no rule reads tell no callers apart', async () => {
  const userType = await withReadClaims(app.servers, wide)
  expect(known(userType)).toEqual([])
  expect(new Prover({ ...app, userType }).personas).toEqual(new Prover(app).personas)
})

test('a claim is known that a rule reads for some callers alone, behind others', async () => {
  const servers = readingPosts((user) => user.role === 'ADMIN' && user.flag3 === true && user.flag7At !== null)
  const userType = await withReadClaims(servers, wide)
  expect(known(userType)).toEqual(['flag3', 'flag7At'])
  const prover = new Prover({ ...app, servers, userType })
  const views = (await prover.model()).filter(({ model, action }) => model === 'Post' && action === 'view')
  const may = views.filter(({ formula }) => !(formula.kind === 'constant' && !formula.holds))
  expect(views.flatMap(({ formula }) => (formula.kind === 'opaque' ? [formula] : []))).toEqual([])
  // Of administrators with the flag, those alone whose date is set; on each server.
  expect([...new Set(may.map(({ persona }) => persona))]).toEqual(['[["flag3",true],["role","ADMIN"]]'])
})

test('rules that read too many are told which', async () => {
  const servers = readingPosts((user) => flags.every((name) => user[name] === true))
  await expect(withReadClaims(servers, wide)).rejects.toThrow(
    /^Your rules read role, flag0, flag1, .* of the user, which makes more than 256 kinds of callers\./,
  )
})
