/**
 * One question at a time: who asks while one is under way shares the next one with all others who do, so that each answer
 * is from after its question.
 */
export function shared<T>(ask: () => Promise<T>): () => Promise<T> {
  let running: Promise<void> | null = null
  let next: Promise<T> | null = null
  const rest = () => {
    running = null
  }
  const begin = (): Promise<T> => {
    next = null
    const asked = ask()
    running = asked.then(rest, rest)
    return asked
  }
  return () => {
    if (running === null) return begin()
    next ??= running.then(begin)
    return next
  }
}
