import type { Asked } from '../asked.ts'
import { isPostgres } from '../process.ts'

/** What the servers written by hand do, whichever framework calls it: by Prisma, or by a driver. */
export interface Work {
  /** The document: as a value by Prisma, as its text by a driver. */
  read(asked: Asked): Document | Promise<Document>
  change(asked: Asked, sent: Sent): Written | Promise<Written>
  /** Fails where nobody has this id. */
  user(id: number): unknown
}

export type Document = string | object

export interface Written {
  readonly id: number
  readonly document: Document
}

/** The `data` of a request. */
export interface Sent {
  readonly attributes: { readonly title: string; readonly slug: string; readonly content: string }
  readonly relationships: { readonly author: { readonly data: { readonly id: string } } }
}

export const mediaType = 'application/vnd.api+json'

export const toText = (document: Document): string =>
  typeof document === 'string' ? document : JSON.stringify(document)

/** By the word `prisma` of its command, or by the driver of its database. */
export async function chosenWork() {
  if (process.argv.includes('prisma')) return import('./prisma.ts')
  return isPostgres ? import('./pg.ts') : import('./sqlite.ts')
}
