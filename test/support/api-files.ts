import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compareSurfaces } from '@prismapi/cli/diff/compare'
import { inferredSurface } from '@prismapi/cli/diff/inferred'
import { readSurface } from '@prismapi/cli/diff/read-surface'
import type { Surface } from '@prismapi/cli/diff/surface'
import { run } from '@prismapi/cli/run'
import { compileServer } from '@prismapi/core/server/compile'
import type { ServerClass } from '@prismapi/core/server/server'
import { cursorSeal } from '@prismapi/jsonapi/pagination/cursor-seal'
import type { SchemaClass } from '@prismapi/jsonapi/schema/schema'
import { openApiDocument } from '@prismapi/openapi/document'
import { ResourceRequest, type Resources, Schema, Server } from 'prismapi'
import { compiledFeatures } from 'prismapi/internal/usual/compiled-features'
import type { RequestClasses } from 'prismapi/rules'
import type { ISchema } from 'yup'
import { resourcesOf } from './resources-of.ts'

// Servers of a small Prisma schema, and the files that are compared of them.

/** What one version of an API is made of; the rest is inferred. */
export interface ApiParts {
  readonly prisma?: string
  readonly schemas?: Readonly<Record<string, SchemaClass>>
  readonly requests?: Readonly<Record<string, new () => ResourceRequest>>
  readonly server?: ServerClass
}

/** Schema classes know the models of the example only; these are about others. */
export const AnySchema = Schema<never>

class V1 extends Server {
  override readonly name = 'v1'
  override readonly version: '1.0' | '1.1' = '1.1'
}

export const blog = `
datasource db {
  provider = "sqlite"
}
enum State {
  DRAFT
  LIVE
}
model User {
  id    Int    @id @default(autoincrement())
  name  String
  posts Post[]
}
model Post {
  id       Int       @id @default(autoincrement())
  title    String
  summary  String?
  state    State     @default(DRAFT)
  words    Int       @default(0)
  author   User      @relation(fields: [authorId], references: [id])
  authorId Int
  comments Comment[]
}
model Comment {
  id     Int    @id @default(autoincrement())
  text   String
  post   Post   @relation(fields: [postId], references: [id])
  postId Int
}
`

/** The blog with another Prisma schema. */
export const edited = (...edits: readonly (readonly [from: string, to: string])[]): ApiParts => ({
  prisma: edits.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`The schema has no ${from}.`)
    return text.replace(from, to)
  }, blog),
})

/** The blog with rules of posts. */
export const ruled = (rules: Readonly<Record<string, ISchema<unknown>>>): ApiParts => {
  class PostRequest extends ResourceRequest {
    override rules() {
      return rules as never
    }
  }
  return { requests: { Post: PostRequest as unknown as new () => ResourceRequest } }
}

/** The blog with a schema class of posts. */
export const posts = (schema: new () => Schema<never>): ApiParts => ({ schemas: { Post: schema as SchemaClass } })

/** The blog on a server with other members. */
export const served = (members: object): ApiParts => ({
  server: class extends V1 {
    constructor() {
      super()
      Object.assign(this, members)
    }
  },
})

const say = () => {}
const logger = { debug: say, info: say, warn: say, error: say }
const none: RequestClasses = { request: null, query: null, collectionQuery: null }

const read = new Map<string, Resources>()

/** What is known of a Prisma schema, which is read once. */
function knownResources(prisma: string): Resources {
  const known = read.get(prisma)
  if (known) return known
  const resources = resourcesOf(prisma, 'sqlite')
  read.set(prisma, resources)
  return resources
}

/** The server, compiled as it is when it starts. */
export function compiledApi({ prisma = blog, schemas = {}, requests = {}, server = V1 }: ApiParts) {
  const classes = Object.entries(requests).map(([model, request]) => [model, { ...none, request }] as const)
  return compileServer(
    { server, schemas: new Map(Object.entries(schemas)), authorizers: new Map(), requests: new Map(classes) },
    {
      resources: knownResources(prisma),
      policies: new Map(),
      baseUrl: 'https://api.example',
      production: true,
      logger,
      cursorSeal: cursorSeal(null),
      features: compiledFeatures,
    },
  )
}

/** The OpenAPI document that `prismapi openapi` writes. */
export const documentOf = (parts: ApiParts) => openApiDocument(compiledApi(parts))

/** A resource file, as far as it is read. */
export const resourceFile = (prisma: string): string =>
  `export const resources = ${JSON.stringify(knownResources(prisma))}\n`

/** `prismapi diff old.<extension> new.<extension> …` in a folder of its own. */
export async function diff(files: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const root = mkdtempSync(join(tmpdir(), 'prismapi-diff-'))
  const [said, complained]: [string[], string[]] = [[], []]
  try {
    for (const [name, content] of Object.entries(files)) writeFileSync(join(root, name), content)
    const status = await run(['diff', ...args], root, {
      say: (text) => void said.push(text),
      complain: (text) => void complained.push(text),
      paint: (_colour, text) => text,
    })
    return { status, said: said.join('\n'), complained: complained.join('\n') }
  } finally {
    rmSync(root, { recursive: true })
  }
}

/** What is said of one version of an API against another: `-` breaks clients, `+` does not. */
export const changesOf = (old: ApiParts, now: ApiParts): readonly string[] =>
  changesBetween(readSurface(documentOf(old)), readSurface(documentOf(now)))

/** The same of two surfaces. */
export const changesBetween = (old: Surface, now: Surface): readonly string[] =>
  compareSurfaces({ old, now, at: new Date() })
    .map(({ breaks, where, what, says }) => `${breaks ? '-' : '+'} ${where} ${what}: ${says}`)
    .sort()

/** What is inferred of a Prisma schema. */
export const inferredOf = (prisma: string): Surface => inferredSurface(knownResources(prisma))

type Change = (
  field: Record<
    | 'hidden'
    | 'asReadOnly'
    | 'writeOnly'
    | 'notFilterable'
    | 'notSortable'
    | 'singular'
    | 'cannotInclude'
    | 'countable',
    () => unknown
  >,
) => unknown

/** Posts with one field that is not as inferred. */
export const attribute = (name: string, change: Change) =>
  posts(
    class extends AnySchema {
      override fields() {
        return [change(this.attribute(name as never) as never) as never]
      }
    },
  )

/** Posts with one field that is not as inferred. */
export const relation = (name: string, change: Change) =>
  posts(
    class extends AnySchema {
      override fields() {
        return [change(this.relation(name as never) as never) as never]
      }
    },
  )
