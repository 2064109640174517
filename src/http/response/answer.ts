/** An answer whose document is a text already. */
export interface TextAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Null for an answer without a body. */
  readonly body: string | null
}
