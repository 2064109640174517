/** One thing that inference decided by itself: about a field of a model, or about the model itself. */
export interface Note {
  readonly model: string
  /** Prisma's name; null where the note is about the whole model. */
  readonly field: string | null
  readonly reason: string
  /** It is what the Prisma schema says (`@ignore`), so nothing is wrong with it. */
  readonly isIgnored?: true
}

/** A field, or a model's type, whose name had to be another one. */
export interface Renaming extends Note {
  /** The name that is served. */
  readonly name: string
}

/** What inference made of a Prisma schema by itself, for the boot log and `doctor`. */
export interface SchemaNotes {
  /** Fields that clients do not get to see. */
  readonly hidden: Note[]
  /** Fields that clients write and never see, because of their names. */
  readonly secrets: Note[]
  readonly renamed: Renaming[]
  /** Models and relations that are not served. */
  readonly skipped: Note[]
  /** What is served, but less well than it could be: whole lines. */
  readonly warnings: string[]
}

export const newNotes = (): SchemaNotes => ({ hidden: [], secrets: [], renamed: [], skipped: [], warnings: [] })

/** `Post.type`, or `Post` where a note is about the model. */
export const placeOf = ({ model, field }: Note): string => (field === null ? model : `${model}.${field}`)
