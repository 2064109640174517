import type { Write } from '../live/walk-writes.ts'

// Writes in the twins while streams are open: what readers see of, and what nobody sees. Each can come at any time, and again.

// biome-ignore lint/suspicious/noExplicitAny: the client of models that TypeScript does not know
type Any = any
const each =
  (write: (db: Any, n: number) => unknown): Write =>
  (db, n) =>
    [write(db, n)] as never

const instant = (n: number) => new Date(Date.UTC(2024, 0, 2, 0, n % 60))
const de = (code: string) => ({ country_code: { country: 'de', code } })

/** What comes and goes, and what is told otherwise: softly deleted, drafts, with composite keys, polymorphic, veiled. */
export const seenWrites: readonly Write[] = [
  each((db, n) => db.doc.update({ where: { id: 4 }, data: { title: `Told ${n}` } })),
  each((db, n) => db.doc.update({ where: { id: [6, 9, 16][n % 3] }, data: { deletedAt: n % 2 ? instant(n) : null } })),
  each((db, n) => db.doc.update({ where: { id: 10 }, data: { publishedAt: n % 2 ? instant(n) : null } })),
  each((db, n) => db.doc.update({ where: { id: 16 }, data: { authorId: n % 2 ? 1 : 4, size: n } })),
  each((db, n) => db.doc.update({ where: { id: 6 }, data: { veiled: n % 2 > 0 } })),
  each((db, n) => db.doc.update({ where: { id: 18 }, data: { teamId: [null, 2, 1][n % 3] } })),
  each((db, n) =>
    db.doc.update({ where: { id: 17 }, data: { country: n % 2 ? 'de' : null, code: n % 2 ? 'ber' : null } }),
  ),
  each((db, n) => db.place.update({ where: de('ber'), data: { title: `Place ${n}` } })),
  each((db, n) => db.team.update({ where: { id: 2 }, data: { motto: `Motto ${n}`, veiled: n % 4 === 1 } })),
  each((db, n) =>
    db.membership.upsert({
      where: { userId_teamId: { userId: 2, teamId: 2 } },
      create: { userId: 2, teamId: 2, rank: n },
      update: { rank: n, veiled: n % 3 === 0 },
    }),
  ),
  each((db) => db.membership.deleteMany({ where: { userId: 2, teamId: 2 } })),
  each((db, n) =>
    db.remark.update({ where: { id: 1 }, data: n % 2 ? { docId: null, teamId: 1 } : { docId: 4, teamId: null } }),
  ),
  each((db, n) => db.mark.update({ where: { id: 1 }, data: { ownerType: n % 2 ? 'doc' : 'user', ownerId: '4' } })),
  each((db, n) =>
    db.mark.update({ where: { id: 2 }, data: { ownerType: 'place', ownerId: n % 2 ? 'de_ber' : 'fr_par' } }),
  ),
  each((db, n) =>
    db.tag.update({ where: { id: 2 }, data: { docs: { [n % 2 ? 'connect' : 'disconnect']: { id: 4 } } } }),
  ),
  each((db, n) => db.tag.update({ where: { id: 4 }, data: { name: `Tag ${n}`, veiled: n % 3 === 0 } })),
  each((db, n) => db.user.update({ where: { id: 1 }, data: { pin: n } })),
  each((db, n) => db.user.update({ where: { id: 5 }, data: { name: `User ${n}` } })),
]

/** What nobody sees, and what only its user sees. */
export const hiddenWrites: readonly Write[] = [
  each((db, n) => db.user.update({ where: { id: 3 }, data: { name: `Mm hidden ${n}` } })),
  each((db, n) => db.user.update({ where: { id: 6 }, data: { pin: n, email: `six-${n}@example.org` } })),
  each((db, n) => db.team.update({ where: { id: 3 }, data: { name: `Mm hidden ${n}` } })),
  each((db, n) => db.place.update({ where: de('muc'), data: { title: `Mm hidden ${n}` } })),
  each((db, n) =>
    db.doc.update({ where: { id: 3 }, data: { title: `Mm hidden ${n}`, publishedAt: n % 2 ? instant(n) : null } }),
  ),
  each((db, n) =>
    db.doc.update({ where: { id: 11 }, data: { deletedAt: n % 2 ? instant(n) : null, authorId: n % 3 ? 1 : null } }),
  ),
  each((db, n) =>
    db.doc.upsert({
      where: { slug: 'mm-hidden' },
      create: hiddenDoc,
      update: { size: n, tags: { connect: { id: 4 } } },
    }),
  ),
  each((db) => db.doc.deleteMany({ where: { slug: 'mm-hidden' } })),
  each((db, n) =>
    db.tag.update({ where: { id: 3 }, data: { docs: { [n % 2 ? 'connect' : 'disconnect']: { id: 4 } } } }),
  ),
  each((db, n) => db.membership.update({ where: { userId_teamId: { userId: 5, teamId: 4 } }, data: { rank: n } })),
  each((db, n) => db.remark.update({ where: { id: 3 }, data: { text: `Mm hidden ${n}`, authorId: n % 2 ? 4 : 1 } })),
  each((db, n) => db.remark.upsert({ where: { id: 77 }, create: hiddenRemark, update: { stars: n } })),
  each((db) => db.remark.deleteMany({ where: { id: 77 } })),
  each((db, n) => db.mark.update({ where: { id: 3 }, data: { ownerType: 'doc', ownerId: String(1 + (n % 9)) } })),
]

const hiddenDoc = { title: 'Mm hidden', slug: 'mm-hidden', veiled: true, publishedAt: instant(3), authorId: 1 }
const hiddenRemark = { id: 77, text: 'Mm hidden', veiled: true, authorId: 1, docId: 4 }

/** What takes readers their rights, or themselves. */
export const withdrawals = {
  /** The editor sees no draft of others any more; or sees them again. */
  role: each((db, n) => db.user.update({ where: { id: 4 }, data: { role: n % 2 ? 'MEMBER' : 'EDITOR' } })),
  user: each((db) => db.user.delete({ where: { id: 2 } })),
}
