/** What one request may cost. Every limit answers with a 4xx that names it. */
export interface Limits {
  /** Bytes of a request body, after decompression. */
  readonly bodyBytes: number
  /** How deep arrays and objects of a body may nest. */
  readonly bodyDepth: number
  /** Resources on a page, unless the schema says otherwise. */
  readonly maxPageSize: number
  /** Relations in one include path. */
  readonly includeDepth: number
  /** Include paths in one request. */
  readonly includePaths: number
  readonly sortKeys: number
  readonly filterTerms: number
  readonly filterDepth: number
  /** Values in one list of a filter. */
  readonly filterValues: number
  /** Identifiers in one relationship of a document. */
  readonly linkage: number
  /** Operations in one atomic request. */
  readonly operations: number
  /** Characters of the path and query. */
  readonly urlLength: number
  /** Parameters of the query string. */
  readonly parameters: number
}

export const defaultLimits: Limits = Object.freeze({
  bodyBytes: 1_048_576,
  bodyDepth: 64,
  maxPageSize: 1000,
  includeDepth: 3,
  includePaths: 20,
  sortKeys: 5,
  filterTerms: 50,
  filterDepth: 5,
  filterValues: 500,
  linkage: 1000,
  operations: 100,
  urlLength: 8192,
  parameters: 200,
})
