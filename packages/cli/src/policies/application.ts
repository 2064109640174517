import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkPolicies } from '@prismapi/core/auth/check-policies'
import { makePolicies } from '@prismapi/core/auth/policy'
import { compileServer } from '@prismapi/core/server/compile'
import { discover } from '@prismapi/core/server/discover'
import type { ModelMeta, Resources } from '@prismapi/jsonapi/model/meta'
import { cursorSeal } from '@prismapi/jsonapi/pagination/cursor-seal'
import { unknownName } from '@prismapi/proof/assertion'
import { postgresConnection, sqliteConnection } from '@prismapi/proof/confirm/connections'
import type { Scratch, ScratchConnection } from '@prismapi/proof/confirm/scratch'
import { withReadClaims } from '@prismapi/proof/model/read-claims'
import { readUserType, type Sources } from '@prismapi/proof/model/user-type'
import type { Proved } from '@prismapi/proof/prover'
import { toolFeatures } from 'prismapi/internal/usual/compiled-features'
import { UsageError } from '../command.ts'
import { messageOf, readTypeScript } from '../load-file.ts'
import { readResources } from '../prisma-schema.ts'
import { giveFramework } from './give-framework.ts'

/** An application as its policies are looked at: its Prisma schema, servers, policies and the user that it declares. */
export async function readApplication(root: string): Promise<Proved> {
  await giveFramework()
  return loadApplication(root, withoutDbSchemas(await readResources(root)))
}

/** The same of a Prisma schema that is known. */
export async function loadApplication(root: string, resources: Resources): Promise<Proved> {
  await readTypeScript(root)
  try {
    const { servers: parts, policies: classes, features } = await discover({ root, resources })
    const environment = {
      resources,
      policies: makePolicies(classes),
      baseUrl: '',
      production: true,
      logger,
      cursorSeal: cursorSeal(null),
      features: toolFeatures(features),
    }
    const servers = parts.map((each) => compileServer(each, environment))
    checkPolicies(...servers)
    return {
      resources,
      servers,
      ceilings: features.flatMap(({ ceilings = [] }) => ceilings),
      userType: await withReadClaims(servers, readUserType(sourcesOf(root), resources)),
      openScratch: () => openScratchFor(resources),
    }
  } catch (error) {
    throw new UsageError(messageOf(error), { cause: error })
  }
}

/** The same, with the server alone that `--server` names; all of them without it. */
export const serversNamed = (app: Proved, named: unknown): Proved => ({
  ...app,
  servers: chosenServers(app.servers, named),
})

/** @throws {UsageError} for a server that there is not. */
export function chosenServers(servers: Proved['servers'], named: unknown): Proved['servers'] {
  if (named === undefined) return servers
  const found = servers.filter(({ name }) => name === named)
  if (found.length > 0) return found
  const known = servers.map(({ name }) => name)
  throw new UsageError(unknownName('server', String(named), known).message)
}

const silent = () => {}
const logger = { debug: silent, info: silent, warn: silent, error: silent }

// A scratch database has one schema, whatever the tables lie in.
function withoutDbSchemas({ models, ...rest }: Resources): Resources {
  const plain = (model: ModelMeta): ModelMeta => ({ ...model, dbSchema: null })
  return { ...rest, models: Object.fromEntries(Object.entries(models).map(([name, model]) => [name, plain(model)])) }
}

/** The application's own code: where it declares its user. */
export function sourcesOf(root: string): Sources {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  return new Map(
    files
      .filter((name) => /(?<!\.d)\.[cm]?ts$/.test(name) && !/(^|[\\/])(generated|node_modules)[\\/]/.test(name))
      .sort()
      .map((name) => [join('src', name), readFileSync(join(root, 'src', name), 'utf8')]),
  )
}

// What SQL is made with is loaded where SQL is asked: a proof asks it for a counterexample alone.
async function openScratchFor(resources: Resources): Promise<Scratch> {
  const { openScratch } = await import('@prismapi/proof/confirm/scratch')
  return openScratch(await connectionFor(resources), resources)
}

async function connectionFor({ provider }: Resources): Promise<ScratchConnection> {
  if (provider === 'sqlite') return sqliteConnection()
  if (provider !== 'postgresql')
    throw new UsageError(
      `A counterexample was found, and cannot be confirmed on ${provider}: SQLite and PostgreSQL alone.`,
    )
  const url = process.env.DATABASE_URL
  if (!url)
    throw new UsageError(
      'A counterexample was found. Set DATABASE_URL, so that PostgreSQL can confirm it: nothing is committed there.',
    )
  const { default: pg } = await import('pg')
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  const connection = await postgresConnection(pool)
  return {
    ...connection,
    async close() {
      await connection.close()
      await pool.end()
    },
  }
}
