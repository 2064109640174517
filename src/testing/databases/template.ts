import type { Awaitable } from '../../model/awaitable.ts'

/** How the database that all others are copies of comes about. */
export interface Template {
  /** Tells templates of other migrations and rows apart. */
  readonly key: string
  /** Fills a new, empty database. */
  fill(url: string, run: RunSql): Promise<void>
}

/** Runs statements in the database that is filled. */
export type RunSql = (sql: string) => Awaitable<unknown>

/** One kind of database server. */
export interface DatabaseKind {
  /** Makes the template unless it is there. */
  prepare(template: Template): Promise<void>
  /** A copy of the template, which is there. */
  copy(template: Template): Promise<{ readonly url: string; drop(): Promise<void> }>
}
