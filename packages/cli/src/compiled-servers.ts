import { makePolicies } from '@prismapi/core/auth/policy'
import { type CompiledServer, compileServer } from '@prismapi/core/server/compile'
import { discover } from '@prismapi/core/server/discover'
import type { Resources } from '@prismapi/jsonapi/model/meta'
import { cursorSeal } from '@prismapi/jsonapi/pagination/cursor-seal'
import { toolFeatures } from 'prismapi/internal/usual/compiled-features'
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
    const environment = {
      resources,
      policies: makePolicies(found.policies),
      baseUrl,
      production: true,
      logger,
      cursorSeal: cursorSeal(null),
      features: toolFeatures(found.features),
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
