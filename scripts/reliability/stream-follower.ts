import { setTimeout as sleep } from 'node:timers/promises'

/** A client of a stream that comes back whenever it is cut off. */
export interface Follower {
  /** What it has, by id. */
  readonly names: ReadonlyMap<string, string>
  /** What it was told although it had it. */
  readonly twice: readonly string[]
  events(): number
  /** How often it was answered with a stream. */
  connections(): number
  /** Its connection ends, wherever it is. */
  disconnect(): void
  stop(): Promise<void>
}

interface Tag {
  readonly id: string
  readonly attributes: { readonly name: string }
}

export function followTags(url: string, headers: Readonly<Record<string, string>>): Follower {
  const names = new Map<string, string>()
  const twice: string[] = []
  let [last, events, connections, isOn] = ['', 0, 0, true]
  let connection = new AbortController()

  const take = (event: string, data: Tag | readonly Tag[]) => {
    if (Array.isArray(data)) {
      names.clear()
      for (const { id, attributes } of data as readonly Tag[]) names.set(id, attributes.name)
      return
    }
    const { id, attributes } = data as Tag
    if (event === 'remove') {
      if (!names.delete(id)) twice.push(`remove ${id}`)
    } else {
      if (names.get(id) === attributes.name) twice.push(`upsert ${id} ${attributes.name}`)
      names.set(id, attributes.name)
    }
  }
  const read = async () => {
    connection = new AbortController()
    const resuming = last === '' ? {} : { 'Last-Event-ID': last }
    const { body, ok } = await fetch(url, {
      signal: connection.signal,
      headers: { Accept: 'text/event-stream', ...headers, ...resuming },
    })
    if (!ok || !body) return
    connections++
    let text = ''
    for await (const chunk of body.pipeThrough(new TextDecoderStream()) as unknown as AsyncIterable<string>) {
      const blocks = (text + chunk).split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        const lines = block.split('\n')
        const field = (name: string) =>
          lines
            .find((line) => line.startsWith(`${name}:`))
            ?.slice(name.length + 1)
            .trimStart() ?? ''
        const { data } = JSON.parse(field('data') || '{}')
        if (data) take(field('event'), data)
        last = field('id') || last
        events++
      }
    }
  }
  const following = (async () => {
    while (isOn) {
      await read().catch(() => {})
      await sleep(20)
    }
  })()
  return {
    names,
    twice,
    events: () => events,
    connections: () => connections,
    disconnect: () => connection.abort(),
    async stop() {
      isOn = false
      connection.abort()
      await following
    },
  }
}
