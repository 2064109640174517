import type { Part } from '@prismapi/openapi/described'
import type { CreateLink } from './create-link.ts'

/** A field of a form: where its value stands in the document that is sent, and what it may be. */
export interface FormField {
  readonly name: string
  /** The JSON pointer of the value. */
  readonly pointer: string
  /** The JSON Schema of the value. */
  readonly schema: Part
  readonly isRequired: boolean
  /** What it is now; undefined for nothing. Of what names resources, an id or several. */
  readonly value: unknown
  /** What its control had, where that was sent; left out, what says the value. */
  readonly text?: string
  /** What the resource is called that the value names. */
  readonly label?: string | null
  /** The ways to a new one of what it could name. */
  readonly more?: readonly CreateLink[]
  /** Did its reader leave the form for it, and is back? */
  readonly isBack?: boolean
  /** In a form that updates, what tells its value from others; left out in all other forms. */
  readonly untouched?: string
  /** Is its value one that was sent, and is not stored? */
  readonly isTouched?: boolean
  /** Why it was refused. */
  readonly error?: string
  /** What the Prisma schema says of it. */
  readonly description?: string
  /** Where it stands in its form: with those that everybody fills in, or folded with those that few do. */
  readonly isTechnical?: boolean
  /** It is accepted and never shown. */
  readonly isSecret?: boolean
  /** The resources that it need not offer. */
  readonly held?: readonly string[]
  /** Set where the value names resources. */
  readonly linkage?: {
    readonly types: readonly string[]
    /** The one that is chosen, where there are several. */
    readonly chosen?: string | null
    readonly isMany: boolean
    /** Where the resources are found by their label; null where they are not. */
    readonly search: string | null
    /** What those are called that it names, by their ids. */
    readonly labels?: Readonly<Record<string, string>>
  }
}

type Kind = 'string' | 'number' | 'boolean' | 'datetime' | 'json' | 'one' | 'many'

const typesOf = ({ type }: Part): readonly unknown[] => (Array.isArray(type) ? type : [type])

export const isNullable = ({ schema, linkage }: FormField): boolean =>
  linkage ? !linkage.isMany : typesOf(schema).includes('null')

/** What its value is in a document. */
export function kindOf({ schema, linkage }: FormField): Kind {
  if (linkage) return linkage.isMany ? 'many' : 'one'
  const [type] = typesOf(schema)
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'boolean') return 'boolean'
  if (type === 'string') return schema.format === 'date-time' ? 'datetime' : 'string'
  return schema.enum ? 'string' : 'json'
}
