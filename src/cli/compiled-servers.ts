import type { AnyPolicy } from '../auth/policy.ts'
import type { Resources } from '../model/meta.ts'
import { cursorSeal } from '../pagination/cursor-seal.ts'
import { type CompiledServer, compileServer } from '../server/compile.ts'
import { discover } from '../server/discover.ts'
import { compiledFeatures } from '../usual/compiled-features.ts'
import { UsageError } from './command.ts'
import { readTypeScript } from './load-file.ts'
import { listServers } from './servers.ts'

interface Asked {
  /** The folders of the servers. */
  readonly servers: readonly string[]
  readonly resources: Resources
  readonly baseUrl: string
}

/** Servers as the application starts them, but for what authenticates callers. */
export async function compiledServers(
  root: string,
  { servers, resources, baseUrl }: Asked,
): Promise<readonly CompiledServer[]> {
  await readTypeScript(root)
  try {
    const found = await discover({ root, resources })
    const policies: ReadonlyMap<string, AnyPolicy> = new Map(
      [...found.policies].map(([model, PolicyOfModel]) => [model, new PolicyOfModel()]),
    )
    const environment = {
      resources,
      policies,
      baseUrl,
      production: true,
      logger,
      cursorSeal: cursorSeal(null),
      features: compiledFeatures,
    }
    // Both are in the order of the folders' names.
    const names = listServers(root)
    return found.servers
      .filter((_, i) => servers.includes(names[i] as string))
      .map((parts) => compileServer(parts, environment))
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error })
  }
}

const silent = () => {}
const logger = { debug: silent, info: silent, warn: silent, error: silent }
