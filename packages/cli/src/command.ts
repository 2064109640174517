import { type Command, type Input, UsageError } from '@prismapi/core/server/command'

export { type Command, type Input, type Option, UsageError } from '@prismapi/core/server/command'

/** The one name that a command is about. */
export function nameOf({ positionals }: Input, { usage }: Pick<Command, 'usage'>): string {
  const [name, ...rest] = positionals
  if (name === undefined || rest.length > 0) throw new UsageError(`Usage: prismapi ${usage}`)
  // It becomes a file's and a class's name.
  if (!/^[A-Za-z][A-Za-z0-9_-]*$/.test(name))
    throw new UsageError(`"${name}" is no name: letters, digits and dashes only.`)
  return name
}
