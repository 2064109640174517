import {
  conformance,
  fuzz,
  type Hidden,
  type HiddenFields,
  type HiddenValues,
  leaks,
  type Tested,
} from '@prismapi/testing/kit'
import { discover } from 'prismapi'
import { afterAll, describe, expect, test } from 'vitest'
import { parseNumber } from '../../../scripts/number-option.ts'
import { openStudios } from '../../support/studios/open.ts'
import { seedStudios } from '../../support/studios/seed.ts'
import { signIn, type Who } from '../../support/studios/serve.ts'

// The kit finds nothing wrong with an application that is not the example.

const studios = await openStudios('sqlite')
await seedStudios(studios)
const { db, folder, resources } = studios
const { servers, ...found } = await discover({ root: folder, resources })
afterAll(() => studios.close())

// What TypeScript knows of are the models of the example.
const ofStudios = <T>(models: object): T => models as T

const callersOf = (...names: readonly Who[]) => Object.fromEntries(names.map((name) => [name, signIn(name)]))
const tested: Tested = {
  ...{ ...found, servers, resources, baseUrl: 'https://studios.example.org' },
  app: async () => (await studios.create()).app,
  callers: { guest: {}, ...callersOf('ona', 'eli') },
  hiddenFields: ofStudios<HiddenFields>({
    Artist: ['email', 'phone', 'birthday', 'taxNumber', 'invoices'],
    Booking: ['guestName', 'guestEmail', 'invoice'],
    Member: ['email'],
  }),
}
const at = (name: string, callers: Tested['callers'] = tested.callers): Tested => ({
  ...tested,
  ...{ servers: servers.filter(({ server: Server }) => new Server().name === name), ...(callers && { callers }) },
})

const patience = 120_000
// FC_SEED=<seed> asks again what failed.
const seed = parseNumber('FC_SEED', process.env.FC_SEED, { otherwise: Date.now() % 2 ** 31, from: 0 })

describe('the studios answer as JSON:API says', () => {
  // Changes are shown of one resource at a time, and whoever asks for a room on the site sees no booking.
  const checks = [
    ...conformance(at('desk'), { unseen: ['changes'] }),
    ...conformance(at('site', { guest: {} }), { unseen: ['bookings'] }),
  ]
  test('of every type', () => expect(checks.length).toBeGreaterThan(3 * 11))
  for (const check of checks) test(check.name, check.run, patience)
})

describe('who works in one studio learns nothing of the other', () => {
  const others = { studioId: 2 }
  const hidden = ofStudios<Hidden>({
    ...{ Studio: { id: 2 }, Member: others, Artist: others, Room: others, Booking: others, Note: others },
    ...{ Recording: others, Invoice: others, InvoiceLine: others, Payment: others },
  })
  const checks = leaks(at('desk', callersOf('ona', 'eli')), { client: db, hidden })
  for (const check of checks) test(check.name, check.run, patience)
})

describe('an engineer learns nothing personal', () => {
  const hiddenValues = ofStudios<HiddenValues>({
    Artist: { email: {}, phone: {}, birthday: {}, taxNumber: {} },
    Booking: { guestName: {}, guestEmail: {} },
  })
  const checks = leaks(at('desk', callersOf('eli')), { client: db, hiddenValues })
  for (const check of checks) test(check.name, check.run, patience)
})

describe('the public learns of no booking', () => {
  const checks = leaks(at('site', { guest: {} }), { client: db, hidden: ofStudios({ Booking: {} }) })
  for (const check of checks) test(check.name, check.run, patience)
})

describe('the studios, asked anything', () => {
  // Last, because it writes.
  const keep = ['members/1', 'members/3']
  for (const check of fuzz(tested, { seed, writes: true, runs: 3, keep })) test(check.name, check.run, patience)
})
