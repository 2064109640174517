import path from 'node:path'

interface Named {
  readonly name: string
  /** Of its class; undefined where that is not known. */
  readonly file: string | undefined
}

/**
 * Runs what makes a server of the application's classes: whatever it throws names a file, where one is known, and the server, unless
 * the file lies in its folder.
 */
export function inServer<T>(server: Named, work: () => T): T {
  try {
    return work()
  } catch (error) {
    const { message } = error as Error
    const named = namedIn(message, server)
    if (named === message) throw error
    throw new Error(named, { cause: error })
  }
}

function namedIn(message: string, { name, file }: Named): string {
  const [, found] = /^(\S+\.(?:ts|js|mjs)): /.exec(message) ?? []
  if (found !== undefined && file !== undefined && path.dirname(found) === path.dirname(file)) return message
  if (found !== undefined) return `${message} (Server ${name}.)`
  const told = message.startsWith(`Server ${name}: `) ? message : `Server ${name}: ${message}`
  return file === undefined ? told : `${file}: ${told}`
}
