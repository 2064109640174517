import type { Helpdesk } from './helpdesk.ts'

/** The keys of the members that tests ask as, by their names. */
export const secrets = {
  ann: 'ann-is-an-administrator-of-acme-',
  art: 'art-is-an-agent-of-acme---------',
  mia: 'mia-is-a-member-of-acme---------',
  gil: 'gil-is-an-administrator-of-globe',
} as const

/** Two organizations, each with everything that there is; user 1 of the first is a member of the second, too. */
export async function seedHelpdesk({ db, hashOf }: Helpdesk): Promise<void> {
  const members = [
    ['ann', 'ADMIN', 'Acme'],
    ['art', 'AGENT', 'Acme'],
    ['mia', 'MEMBER', 'Acme'],
    ['gil', 'ADMIN', 'Globex'],
    ['guy', 'MEMBER', 'Globex'],
  ] as const
  for (const name of ['Acme', 'Globex']) await db.organization.create({ data: { name } })
  for (const [name, role, organization] of members) {
    const organizationId = organization === 'Acme' ? 1 : 2
    const user = await db.user.create({ data: { name, email: `${name}@${organization.toLowerCase()}.example` } })
    const membership = await db.membership.create({ data: { userId: user.id, role, organizationId } })
    const secret = secrets[name as keyof typeof secrets] ?? 'a key that nobody has'
    await db.apiKey.create({
      data: { name: `key of ${name}`, hash: hashOf(secret), membershipId: membership.id, organizationId },
    })
  }
  const dueAt = new Date('2030-01-01')
  for (const [organizationId, requesterId, word] of [
    [1, 3, 'printer'],
    [2, 5, 'scanner'],
  ] as const) {
    const own = { organizationId }
    const team = await db.team.create({ data: { name: `${word} team`, ...own } })
    const tag = await db.tag.create({ data: { name: `${word} tag`, ...own } })
    for (const state of ['broken', 'missing']) {
      const ticket = await db.ticket.create({
        data: {
          subject: `${word} ${state}`,
          body: `The ${word} is ${state}.`,
          dueAt,
          requesterId,
          teamId: team.id,
          ...own,
        },
      })
      await db.comment.create({
        data: { text: `${word} looked at: ${state}`, ticketId: ticket.id, authorId: requesterId, ...own },
      })
      await db.ticketTag.create({ data: { ticketId: ticket.id, tagId: tag.id, ...own } })
      await db.attachment.create({
        data: {
          name: `${word}-${state}.png`,
          url: `https://files.example/${word}/${state}`,
          ticketId: ticket.id,
          ...own,
        },
      })
    }
    await db.auditEntry.create({ data: { action: 'create', subject: `${word} 1`, ...own } })
    await db.invitation.create({ data: { email: `new@${word}.example`, hash: hashOf(`${word} invitation`), ...own } })
  }
}
