import { annotationNames, type ModelMeta } from '../model/meta.ts'
import { nearest } from '../model/nearest.ts'

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

/**
 * Words at the beginning of comments that look like annotations and are none: what they
 * were to do is not done. A name with a dot (`@zod.email`) belongs to another generator.
 */
export function unknownAnnotations({ name: model, documentation, columns, relations }: ModelMeta): readonly string[] {
  const commented = [
    [model, documentation] as const,
    ...[...Object.values(columns), ...Object.values(relations)].map(
      (field) => [`${model}.${field.name}`, field.documentation] as const,
    ),
  ]
  return commented.flatMap(([place, text]) =>
    [...(text ?? '').matchAll(/^@([A-Za-z][\w-]*)(?![\w.-])/gm)].map(([, word = '']) => {
      const meant = nearest(word, annotationNames)
      const cure = meant
        ? `Did you mean @${meant}?`
        : `The annotations are ${annotationNames.map((each) => `@${each}`).join(', ')}.`
      return `${place}: @${word} in its comment is no annotation, and documents say it as a text. ${cure}`
    }),
  )
}
