import type { Heading, Value } from './formats.ts'

/** What is exported: its columns, and part after part the values of its lines. */
export interface Lines {
  /** What the file is called after. */
  readonly name: string
  readonly headings: readonly Heading[]
  parts(): AsyncIterable<readonly (readonly Value[])[]>
}
