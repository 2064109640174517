import type { Database } from '../servers.ts'

// The values that callers of `fieldServers` may not see, and other ones in their place.

type Writer = Database['writer']
type Model = 'user' | 'post' | 'video'
type Row = Readonly<Record<string, unknown>> & { readonly id: number | string; readonly updatedAt?: Date }

/** Values of rows of one model that a caller may not see. */
interface HiddenCells {
  readonly model: Model
  readonly where: object
  /** What the twin has there, by the id of the row. */
  readonly other: (id: string) => object
}

interface HidingCaller {
  readonly userId: number | null
  readonly cells: readonly HiddenCells[]
}

const short = { OR: [{ durationSeconds: { lt: 130 } }, { durationSeconds: null }] }
const otherSynopsis = (id: string) => ({ synopsis: `Other ${Number(id) % 3}` })

const addressesBut = (userId: number): HiddenCells => ({
  model: 'user',
  where: { id: { not: userId } },
  other: (id) => ({ email: `${9 - Number(id)}.other@example.net` }),
})

const sealed = { slug: { startsWith: 'sealed' } }
/** The posts of other tags are seen there. */
const sealedTags: HiddenCells = {
  model: 'post',
  where: { ...sealed, tags: { some: {}, every: { name: { startsWith: 'sealed' } } } },
  other: (id) => ({ tags: { set: Number(id) % 2 === 0 ? [{ id: 912 }] : [{ id: 912 }, { id: 913 }] } }),
}

function signedIn(userId: number): HidingCaller {
  const secret = { slug: { startsWith: 'secret' }, NOT: { comments: { some: { authorId: userId } } } }
  const ofOthers = { OR: [{ ownerId: null }, { ownerId: { not: userId } }] }
  return {
    userId,
    cells: [
      addressesBut(userId),
      { model: 'post', where: { authorId: 5 }, other: otherSynopsis },
      { model: 'post', where: sealed, other: (id) => ({ synopsis: `Other ${id}` }) },
      sealedTags,
      { model: 'post', where: secret, other: (id) => ({ content: `Other ${id}` }) },
      {
        model: 'post',
        where: { ...secret, authorId: { not: userId } },
        other: (id) => ({ title: `Other ${Number(id) % 4}` }),
      },
      { model: 'video', where: short, other: (id) => ({ featured: id.endsWith('3') }) },
      { model: 'video', where: { AND: [short, ofOthers] }, other: () => ({ rating: 2.5 }) },
    ],
  }
}

export const hidingCallers: Readonly<Record<string, HidingCaller>> = {
  'a guest': {
    userId: null,
    cells: [
      addressesBut(-1),
      { model: 'user', where: {}, other: () => ({ role: 'EDITOR' }) },
      { model: 'post', where: {}, other: (id) => ({ content: `Other ${id}`, ...otherSynopsis(id) }) },
      sealedTags,
      { model: 'video', where: short, other: (id) => ({ rating: id.length % 4, featured: id.endsWith('3') }) },
    ],
  },
  'a member': signedIn(3),
  'another member': signedIn(4),
  'an editor': signedIn(2),
}

interface Delegate {
  findMany(args: object): Promise<readonly Row[]>
  update(args: object): Promise<unknown>
}

const delegateOf = (db: Writer, model: Model) => db[model] as unknown as Delegate

/** Puts other values in the place of those that the caller may not see. */
export async function changeHidden(db: Writer, { cells }: HidingCaller): Promise<void> {
  for (const { model, where, other } of cells) {
    const delegate = delegateOf(db, model)
    // Without a new instant of the last change, which is to be seen.
    for (const { id, updatedAt } of await delegate.findMany({ where }))
      await delegate.update({ where: { id }, data: { ...other(String(id)), ...(updatedAt && { updatedAt }) } })
  }
}

/** Which values are hidden, as a text: it is another one when a write shows or hides one. */
export const hiddenNow = async (db: Writer, { cells }: HidingCaller): Promise<string> =>
  JSON.stringify(
    await Promise.all(
      cells.map(async ({ model, where }) => {
        const rows = await delegateOf(db, model).findMany({ where, orderBy: { id: 'asc' } })
        return rows.map(({ id }) => id)
      }),
    ),
  )

/** A field of a row that the caller may not see. */
export interface HiddenCell {
  readonly model: Model
  /** A column or a relation. */
  readonly field: string
  /** With what it has there in each of the two databases. */
  readonly row: Row
  readonly twin: Row
}

/** What is hidden of the caller's own rows, and of another one of each kind. */
export async function hiddenCells(db: Writer, twin: Writer, { userId, cells }: HidingCaller): Promise<HiddenCell[]> {
  const found: HiddenCell[] = []
  for (const { model, where, other } of cells) {
    const fields = Object.keys(other('1'))
    const more = fields.includes('tags') ? { include: { tags: { select: { id: true } } } } : {}
    const all = await delegateOf(db, model).findMany({ where, ...more, orderBy: { id: 'asc' } })
    const isOwn = ({ id, authorId, ownerId }: Row) => userId !== null && [id, authorId, ownerId].includes(userId)
    const rows = [...all.filter(isOwn), ...all.filter((row) => !isOwn(row)).slice(0, 1)]
    const theirs = await delegateOf(twin, model).findMany({ where: { id: { in: rows.map(({ id }) => id) } }, ...more })
    for (const row of rows)
      for (const field of fields) found.push({ model, field, row, twin: theirs.find(({ id }) => id === row.id) as Row })
  }
  return found
}

/** After a write that shows a value which was hidden, or hides one: the twin differs again in what is hidden alone. */
export async function pairAgain(db: Writer, twin: Writer, caller: HidingCaller): Promise<void> {
  await makeSame(db, twin)
  await changeHidden(twin, caller)
}

/** The twin has what the first one has, but for addresses and tags. */
export async function makeSame(db: Writer, twin: Writer): Promise<void> {
  for (const model of ['user', 'post', 'video'] as const) {
    for (const { id, ...data } of await delegateOf(db, model).findMany({}))
      await delegateOf(twin, model).update({ where: { id }, data: withoutAddress(data) })
  }
}

// Addresses are unique: no row can have that of another one on the way. Nothing shows one that was hidden.
const withoutAddress = ({ email: _, ...data }: { readonly email?: unknown; readonly updatedAt?: Date }): object => data

/** Posts whose texts only some may read, one of them deleted, and posts whose author does not see all of them. */
export async function addSecrets(db: Writer): Promise<void> {
  for (const id of [911, 912, 913]) await db.tag.create({ data: { id, name: `sealed-${id}` } })
  for (const [id, authorId] of [
    [901, 3],
    [902, 4],
    [903, 2],
    [904, 6],
    [911, 3],
    [912, 4],
    [913, 2],
    [914, 6],
  ] as const) {
    const instant = new Date(Date.UTC(2024, 1, 1, 0, id % 100))
    const name = id < 910 ? 'Secret' : 'Sealed'
    await db.post.create({
      data: {
        ...{ id, authorId, title: `${name} ${id}`, slug: `${name.toLowerCase()}-${id}`, content: `${name} text ${id}` },
        ...{ publishedAt: instant, createdAt: instant, updatedAt: instant },
        ...(name === 'Sealed' && { synopsis: `Sealed ${id}`, tags: { connect: { id: 911 } } }),
      },
    })
  }
  const gone = new Date(Date.UTC(2024, 3, 4))
  const post = { id: 921, authorId: 3, title: 'Secret 921', slug: 'secret-921', content: 'Secret text 921' }
  await db.post.create({ data: { ...post, publishedAt: gone, createdAt: gone, updatedAt: gone, deletedAt: gone } })
  await db.comment.create({ data: { id: 901, content: 'I know', authorId: 3, postId: 902, createdAt: new Date(0) } })
}
