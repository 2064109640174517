// What the policies and scopes of the example say, in other words than theirs: row by row, for one caller.

export type Table = 'User' | 'Profile' | 'Post' | 'Tag' | 'Video' | 'Comment' | '_PostToTag' | '_TagToVideo'

/** A row as PostgreSQL has it, in JSON. */
export type Row = Readonly<Record<string, unknown>>

/** All rows, by table and key. */
export type Rows = Readonly<Record<Table, ReadonlyMap<string, Row>>>

export interface Caller {
  readonly server: 'v1' | 'v2'
  /** Null for a guest. */
  readonly user: { readonly id: number; readonly role: 'MEMBER' | 'EDITOR' | 'ADMIN' } | null
}

export const keyOf = (row: Row): string => String(row.id ?? `${row.A} ${row.B}`)

/** The columns that move by themselves, with any change. */
export const stamps: Readonly<Partial<Record<Table, readonly string[]>>> = { User: ['updatedAt'], Post: ['updatedAt'] }

const isPublished = ({ publishedAt }: Row): boolean =>
  publishedAt !== null && Date.parse(String(publishedAt)) < Date.now()

/** What the caller may do with single rows. */
export function rulesOf({ server, user }: Caller) {
  const isAdmin = user?.role === 'ADMIN'
  const isStaff = isAdmin || user?.role === 'EDITOR'
  const isOwn = (id: unknown): boolean => user !== null && id === user.id

  function sees(table: Table, row: Row): boolean {
    if (table !== 'Post') return true
    if (row.deletedAt !== null) return server === 'v2' && isStaff
    return isStaff || isPublished(row) || isOwn(row.authorId)
  }

  function mayUpdate(table: Table, row: Row): boolean {
    switch (table) {
      case 'User':
        return isAdmin || isOwn(row.id)
      case 'Profile':
        return isOwn(row.userId)
      case 'Post':
        return sees(table, row) && (isStaff || isOwn(row.authorId))
      case 'Tag':
        return isAdmin
      case 'Video':
        return isAdmin || isOwn(row.ownerId)
      case 'Comment':
        return isOwn(row.authorId)
      default:
        return false
    }
  }

  function mayDelete(table: Table, row: Row): boolean {
    switch (table) {
      case 'User':
      case 'Tag':
        return isAdmin
      case 'Post':
        return isAdmin && row.deletedAt !== null && sees(table, row)
      case 'Video':
        return isAdmin || isOwn(row.ownerId)
      case 'Comment':
        return isStaff || isOwn(row.authorId)
      default:
        return false
    }
  }

  function mayCreate(table: Table): boolean {
    if (table === 'User' || table === 'Tag') return isAdmin
    return user !== null && table !== 'Profile'
  }

  /** Whether the tags of a row of that table are the caller's to link; who picks which tag is code, and left to the framework. */
  function mayTag(table: Table, row: Row): boolean {
    if (table === 'Post') return user !== null && sees(table, row)
    return mayUpdate(table, row)
  }

  return { sees, mayUpdate, mayDelete, mayCreate, mayTag }
}

/** The keys of a table that who may not update its rows may write all the same: of relations `withoutUpdatePolicy()`, of which the example has none. */
export const keys: Readonly<Partial<Record<Table, Readonly<Record<string, Table>>>>> = {}

/** The ends of the join tables. */
export const ends: Readonly<Partial<Record<Table, { readonly A: Table; readonly B: Table }>>> = {
  _PostToTag: { A: 'Post', B: 'Tag' },
  _TagToVideo: { A: 'Tag', B: 'Video' },
}
