/** What a client says of the resource that it wants to change (RFC 9110, *Preconditions*). */
export interface Precondition {
  /** It has to have one of these versions; null where nothing was said of it. */
  readonly match: Versions | null
  /** It must have none of these. */
  readonly noneMatch: Versions | null
  /** Where an operation says so; null for headers. */
  readonly pointer: string | null
}

/** `any`: whichever, as long as the resource is there. */
export type Versions = readonly string[] | 'any'

/** What stands between the version of an entity tag and the digest behind it. */
export const versionEnd = '/'

/** The version that a client names: alone, or as it begins an entity tag. */
export const versionIn = (text: string): string => text.split(versionEnd, 1)[0] as string
