/** One event as it came. */
export interface ServerEvent {
  readonly event: string
  readonly id: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into documents of every shape
  readonly data: any
}

/** An open stream of events. */
export interface EventStream {
  readonly status: number
  readonly headers: Headers
  /** All that came so far, comments among it. */
  text(): string
  /** The next event. */
  next(): Promise<ServerEvent>
  /** All events up to the one with which everything that is waited for was told. */
  until(isTold: (events: readonly ServerEvent[]) => boolean): Promise<readonly ServerEvent[]>
  /** What else comes in a while: a busy machine may take longer to tell it. */
  rest(milliseconds?: number): Promise<readonly ServerEvent[]>
  /** Resolved when the server has ended it. */
  readonly ended: Promise<void>
  close(): Promise<void>
}

/** Opens a stream as a client without a library would. */
export async function openEvents(url: string, headers: Readonly<Record<string, string>> = {}): Promise<EventStream> {
  const controller = new AbortController()
  const response = await fetch(url, {
    headers: { Accept: 'text/event-stream', ...headers },
    signal: controller.signal,
  })
  let text = ''
  let taken = 0
  let isOver = false
  const waiting = new Set<() => void>()
  const wake = () => {
    for (const each of waiting) each()
    waiting.clear()
  }
  const ended = (async () => {
    try {
      for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
        text += new TextDecoder().decode(chunk)
        wake()
      }
    } catch {
      // The test has closed it.
    }
    isOver = true
    wake()
  })()
  const events = () =>
    text
      .split('\n\n')
      .slice(0, -1)
      .filter((block) => !block.startsWith(':'))
      .map(parse)
  const more = (milliseconds: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds)
      waiting.add(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  async function next(): Promise<ServerEvent> {
    for (;;) {
      const event = events()[taken]
      if (event) {
        taken++
        return event
      }
      if (isOver) throw new Error(`The stream has ended: ${text}`)
      await more(60_000)
    }
  }
  return {
    status: response.status,
    headers: response.headers,
    text: () => text,
    next,
    async until(isTold) {
      const told: ServerEvent[] = []
      while (!isTold(told)) told.push(await next())
      return told
    },
    async rest(milliseconds = 700) {
      for (let before = -1; before !== text.length; ) {
        before = text.length
        await more(milliseconds)
      }
      const rest = events().slice(taken)
      taken += rest.length
      return rest
    },
    ended,
    async close() {
      controller.abort()
      await ended
    },
  }
}

function parse(block: string): ServerEvent {
  const fields = Object.fromEntries(
    block.split('\n').map((line) => {
      const at = line.indexOf(':')
      return [line.slice(0, at), line.slice(at + 1).replace(/^ /, '')]
    }),
  )
  return { event: fields.event ?? 'message', id: fields.id ?? '', data: JSON.parse(fields.data ?? 'null') }
}

/** A stream that is open until its token runs out, soon; with a longer one where a busy machine takes its time to open it. */
export async function openBriefly(openWith: (expiresIn: string) => Promise<EventStream>): Promise<EventStream> {
  for (let seconds = 2; ; seconds *= 2) {
    const stream = await openWith(`${seconds}s`)
    if (stream.status !== 401) return stream
    await stream.close()
  }
}
