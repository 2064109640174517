import { parseMediaType, splitUnquoted } from '../http/request/media-type.ts'

/** What events are sent as. */
export const eventStream = 'text/event-stream'

/** Whether a client would rather have a stream than a document: by a weight that none of the other ranges has. */
export function wantsStream(accept: string | undefined): boolean {
  if (!accept?.toLowerCase().includes(eventStream)) return false
  let [stream, others] = [0, 0]
  for (const part of splitUnquoted(accept, ',')) {
    const media = parseMediaType(part)
    if (media === null) continue
    const weight = Number(media.parameters.find(([name]) => name === 'q')?.[1] ?? 1)
    if (media.name === eventStream) stream = Math.max(stream, weight)
    else if (documents.has(media.name)) others = Math.max(others, weight)
  }
  return stream > others
}

const documents: ReadonlySet<string> = new Set(['application/vnd.api+json', 'application/*', '*/*'])
