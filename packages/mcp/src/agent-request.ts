/** What is known of a request that a tool stands for. */
export interface AgentRequest {
  /** Who asks; null for a guest. */
  readonly user: unknown
  readonly requestId: string
  /** By which the trail tells it from requests of people: `agent:Some client`. */
  readonly source: string
  /**
   * What becomes of it: it is carried out; or it is carried out, shown and undone; or it ends as soon as the server
   * knows whether it is allowed.
   */
  readonly mode: 'done' | 'undone' | 'asked'
}

/** The name of a client as the trail has it. */
export const sourceOf = (client: string | undefined): string =>
  `agent:${
    (client ?? '')
      .replaceAll(/[^\w.+/@-]+/g, ' ')
      .trim()
      .slice(0, 64) || 'unnamed'
  }`
