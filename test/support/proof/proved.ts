import { compileServer } from '@prismapi/core/server/compile'
import { cursorSeal } from '@prismapi/jsonapi/pagination/cursor-seal'
import type { SchemaClass } from '@prismapi/jsonapi/schema/schema'
import { sqliteConnection } from '@prismapi/proof/confirm/connections'
import { openScratch } from '@prismapi/proof/confirm/scratch'
import type { UserType } from '@prismapi/proof/model/persona'
import type { Proved } from '@prismapi/proof/prover'
import { Server, type Serving } from 'prismapi'
import { compiledFeatures } from 'prismapi/internal/usual/compiled-features'
import type { RequestClasses } from 'prismapi/rules'
import type { PolicyClass } from 'prismapi/types'
import { resourcesOf } from '../resources-of.ts'

interface Parts {
  /** Models, in Prisma's language. */
  readonly models: string
  readonly policies: Readonly<Record<string, PolicyClass>>
  readonly schemas?: Readonly<Record<string, SchemaClass>>
  readonly requests?: Readonly<Record<string, RequestClasses['request']>>
  readonly serving?: (phase: Serving) => void
}

/** Users have an id, and nothing else. */
const userType: UserType = { model: 'User', claims: { id: { kind: 'symbol', type: 'Int', isNullable: false } } }

const silent = () => {}
const logger = { debug: silent, info: silent, warn: silent, error: silent }

/** An application on SQLite, as its policies are looked at: nothing of it is generated, and nothing is served. */
export function provedOf({ models, policies, schemas = {}, requests = {}, serving = silent }: Parts): Proved {
  const resources = resourcesOf(`datasource db {\n  provider = "sqlite"\n}\n\n${models}`, 'sqlite')
  class V1 extends Server {
    override readonly name = 'v1'
    override serving(phase: Serving) {
      serving(phase)
    }
  }
  const server = compileServer(
    {
      server: V1,
      schemas: new Map(Object.entries(schemas)),
      authorizers: new Map(),
      requests: new Map(
        Object.entries(requests).map(([model, request]) => [model, { request, query: null, collectionQuery: null }]),
      ),
    },
    {
      ...{ resources, logger, baseUrl: '', production: true, cursorSeal: cursorSeal(null), features: compiledFeatures },
      policies: new Map(Object.entries(policies).map(([model, Class]) => [model, new Class()])),
    },
  )
  return {
    ...{ resources, servers: [server], userType },
    openScratch: async () => openScratch(await sqliteConnection(), resources),
  }
}
