import { conformance, fuzz, leaks, type Tested } from '@prismapi/testing/kit'
import { discover } from 'prismapi'
import { afterAll, expect, test } from 'vitest'
import { openHelpdesk } from '../../support/helpdesk.ts'
import { secrets, seedHelpdesk } from '../../support/helpdesk-seed.ts'

// The kit, with the application of docs/tutorial.md: one organization must learn nothing of another.

const helpdesk = await openHelpdesk()
await seedHelpdesk(helpdesk)
afterAll(() => helpdesk.close())

const bearer = (secret: string) => ({ Authorization: `Bearer ${secret}` })
const tested: Tested = {
  resources: helpdesk.resources,
  ...(await discover({ root: helpdesk.folder, resources: helpdesk.resources })),
  app: () => helpdesk.createApp() as never,
  callers: { guest: {}, admin: bearer(secrets.ann), member: bearer(secrets.mia) },
}
// A guest sees nothing at all.
const { guest: _, ...members } = tested.callers ?? {}
const owned = { organizationId: 2 }
const hidden = {
  Organization: { id: 2 },
  User: { memberships: { none: { organizationId: 1 } } },
  ...{ Membership: owned, Team: owned, Ticket: owned, Comment: owned, Tag: owned, TicketTag: owned },
  ...{ Attachment: owned, AuditEntry: owned, ApiKey: owned, Invitation: owned },
}

for (const check of [
  ...conformance(tested),
  ...fuzz(tested),
  ...leaks({ ...tested, callers: members }, { client: () => helpdesk.db, hidden: hidden as never }),
])
  test(check.name, check.run, 120_000)

test('nothing failed inside', () => {
  expect(helpdesk.failures).toEqual([])
})
