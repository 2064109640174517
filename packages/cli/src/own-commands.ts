import { discoverFeatures, featuresFile } from '@prismapi/core/server/discover'
import { type Command, UsageError } from './command.ts'
import { messageOf, readTypeScript } from './load-file.ts'

type Load = () => Promise<Command>

/**
 * The commands that the features of the application bring, by their names.
 *
 * @throws {UsageError} for a name that is taken.
 */
export async function ownCommands(
  root: string,
  isTaken: (name: string) => boolean,
): Promise<ReadonlyMap<string, Load>> {
  const file = featuresFile(root)
  if (file === null) return new Map()
  await readTypeScript(root)
  try {
    const own = new Map<string, Load>()
    for (const { commands = {} } of await discoverFeatures(root))
      for (const [name, load] of Object.entries(commands)) {
        if (isTaken(name) || own.has(name))
          throw new Error(`${file}: the command ${name} of a feature is there already. Give it another name.`)
        own.set(name, async () => load())
      }
    return own
  } catch (error) {
    const message = messageOf(error)
    throw new UsageError(message.startsWith(file) ? message : `${file} cannot be read: ${message}`, { cause: error })
  }
}
