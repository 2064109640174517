/**
 * What one request may cost. Every limit answers with a 4xx that names
 * it, and the time with 503. `docs/limits.md` has the defaults.
 */
export interface Limits {
  /** Bytes of a request body, after decompression. */
  readonly bodyBytes: number
  /**
   * Bytes of memory that a body may take once it is parsed, with its
   * text; eight times its own bytes where those are more.
   */
  readonly parsedBytes: number
  /** How deep arrays and objects of a body may nest. */
  readonly bodyDepth: number
  /** Points: rows that a request may have to look at, as `docs/limits.md` counts them. */
  readonly cost: number
  /** Resources and identifiers in one document: primary and included ones, and what relationships name. */
  readonly resources: number
  /** Rows of an export, in the place of the two limits around this one. */
  readonly exportRows: number
  /** Bytes of the document that a read answers with. */
  readonly documentBytes: number
  /** Resources on a page, unless the schema says otherwise. */
  readonly maxPageSize: number
  /** Relations in one include path. */
  readonly includeDepth: number
  /** Include paths in one request. */
  readonly includePaths: number
  /** Fields in one `sort`. */
  readonly sortKeys: number
  /** Conditions of a filter; every to-many relation on the way counts as one more. */
  readonly filterTerms: number
  /** Groups, relations, and keys of Json, around one condition of a filter. */
  readonly filterDepth: number
  /** Values in one list of a filter. */
  readonly filterValues: number
  /** Characters of one value of a filter. */
  readonly filterLength: number
  /** Characters that `contains`, `startsWith`, `endsWith` and their like search for. */
  readonly searchLength: number
  /** Identifiers in one relationship of a document. */
  readonly linkage: number
  /** Operations in one atomic request. */
  readonly operations: number
  /** Characters of the path and query. */
  readonly urlLength: number
  /** Bytes of the body of a QUERY request. */
  readonly queryBytes: number
  /** Parameters of the query string. */
  readonly parameters: number
  /** Header fields; how long they may be together is `maxHeaderSize` of Node's HTTP server. */
  readonly headers: number
  /** Milliseconds from the first line of a request to its answer; `Infinity` for any time. */
  readonly requestMilliseconds: number
}

/** The limits that a server class sets; of agents each may be tighter. */
export type OwnLimits = Partial<Limits> & { readonly agent?: Partial<Limits> }

export const defaultLimits: Limits = Object.freeze({
  bodyBytes: 1_048_576,
  parsedBytes: 2_097_152,
  bodyDepth: 64,
  cost: 1_000_000,
  resources: 10_000,
  exportRows: 100_000,
  documentBytes: 16_777_216,
  maxPageSize: 1000,
  includeDepth: 3,
  includePaths: 20,
  sortKeys: 5,
  filterTerms: 50,
  filterDepth: 5,
  filterValues: 500,
  filterLength: 1024,
  searchLength: 200,
  linkage: 1000,
  operations: 100,
  urlLength: 8192,
  queryBytes: 65_536,
  parameters: 200,
  headers: 100,
  requestMilliseconds: 30_000,
})

/**
 * The limits of a server: its own, and the defaults for the rest.
 * @throws {Error} for a name that is no limit, and a value that is no number from 0
 */
export function compileLimits(server: string, { agent: _, ...own }: OwnLimits): Limits {
  for (const [name, value] of Object.entries(own)) {
    if (!Object.hasOwn(defaultLimits, name))
      throw new Error(
        `Server ${server}: limits.${name} is no limit. Limits are: ${Object.keys(defaultLimits).join(', ')}.`,
      )
    if (typeof value !== 'number' || !(value >= 0))
      throw new Error(
        `Server ${server}: limits.${name} is ${String(value)}. Make it a number from 0 on, or leave it out.`,
      )
  }
  return Object.freeze({ ...defaultLimits, ...own })
}

/**
 * The limits of agents: those of the server, where they are not tighter.
 * @throws {Error} as `compileLimits`
 */
export function limitsOfAgents(server: string, { agent = {}, ...own }: OwnLimits): Limits {
  const limits = compileLimits(server, own)
  const tighter = Object.keys(agent).filter((name) => agent[name as keyof Limits] !== undefined) as (keyof Limits)[]
  const known = compileLimits(`${server}, for agents`, agent)
  return Object.freeze({
    ...limits,
    ...Object.fromEntries(tighter.map((name) => [name, Math.min(limits[name], known[name])])),
  })
}
