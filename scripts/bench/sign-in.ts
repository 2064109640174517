import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { apiKeys, sessions } from '@prismapi/auth'
import { equals, everything } from '@prismapi/jsonapi/condition/build'
import type { ModelMeta } from '@prismapi/jsonapi/model/meta'
import { sqlStores } from '@prismapi/sql/sql-stores'
import { SignJWT } from 'jose'
import Koa, { type Context } from 'koa'
import { bearerToken, keepTokens } from 'prismapi'
import { databases } from '../../test/support/any-schema/databases.ts'
import { schemaOf } from '../../test/support/any-schema/fixtures.ts'
import { generateIn } from '../../test/support/any-schema/generate.ts'
import { newsroomModels, select } from '../../test/support/sign-in/models.ts'
import { verify } from './servers/tokens.ts'

// What it costs to know who is asking: by a token that was verified before, by an API key and by a session. CPU time of
// this process for each request, by turns. Each reads its user from SQLite: keys and sessions by a prepared statement, and
// so does the token that they are compared with. Applications read the user of a token by Prisma Client.

const { rounds, operations } = parseArgs({
  options: { rounds: { type: 'string', default: '25' }, operations: { type: 'string', default: '400' } },
}).values

const below = mkdtempSync(path.join(tmpdir(), 'prismapi-bench-'))
const generated = await generateIn(path.join(below, 'newsroom'), schemaOf(newsroomModels, 'sqlite'))
const { clients, close } = await databases.sqlite(generated)
// biome-ignore lint/suspicious/noExplicitAny: the client is generated for this schema alone
const { reader, writer } = clients as any
for (let id = 1; id <= 1000; id++)
  await writer.user.create({ data: { id, name: `User ${id}`, email: `user${id}@example.com` } })

const app = new Koa()
function contextOf(headers: Readonly<Record<string, string>>): Context {
  const headersDistinct = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]))
  const req = { method: 'GET', url: '/api/v1/posts?page[size]=20', headers, headersDistinct, socket: {} }
  const ctx = app.createContext(req as never, {} as never)
  const append = (_name: string, cookie: string): void => {
    set = cookie
  }
  return Object.assign(ctx, { append }) as unknown as Context
}
let set = ''

const keys = apiKeys({ resources: generated.resources, clients, select })
const bySession = sessions({ resources: generated.resources, clients, select, baseUrl: 'http://127.0.0.1' })
const { key } = await keys.create({ owner: 500, name: 'Bench' })
await bySession.start(contextOf({}), 500)
const token = await new SignJWT()
  .setProtectedHeader({ alg: 'HS256' })
  .setSubject('500')
  .setExpirationTime('1d')
  .sign(new TextEncoder().encode('a secret of the benchmark, long enough'))
const userId = keepTokens(async (sent) => {
  const { sub, exp = 0 } = await verify(sent)
  return { said: Number(sub), exp }
})

const quiet = () => {}
const { reader: statements } = sqlStores({
  clients: clients as never,
  resources: generated.resources,
  onLateFailure: quiet,
  onFallback: quiet,
}).auto
const users = generated.resources.models.User as ModelMeta
const userBy = (id: number | null) => {
  const key = [equals(users, 'id', id)]
  return statements.read({ kind: 'lookUp', model: 'User', columns: Object.keys(select), key, rest: everything })
}

const kinds = {
  'a kept token': [
    contextOf({ authorization: `Bearer ${token}` }),
    async (ctx: Context) => (await userBy(await userId(bearerToken(ctx) ?? ''))) as { readonly id: number } | null,
  ],
  'by Prisma': [
    contextOf({ authorization: `Bearer ${token}` }),
    async (ctx: Context) => reader.user.findUnique({ where: { id: await userId(bearerToken(ctx) ?? '') }, select }),
  ],
  'an API key': [contextOf({ authorization: `Bearer ${key}` }), keys],
  'a session': [contextOf({ cookie: set.split(';')[0] ?? '' }), bySession],
} as const

const spent = new Map<string, number[]>(Object.keys(kinds).map((name) => [name, []]))
for (let round = -2; round < Number(rounds); round++)
  for (const [name, [ctx, find]] of Object.entries(kinds)) {
    const began = process.cpuUsage()
    for (let n = 0; n < Number(operations); n++)
      if ((await find(ctx))?.id !== 500) throw new Error(`${name} is nobody.`)
    const { user, system } = process.cpuUsage(began)
    if (round >= 0) spent.get(name)?.push((user + system) / Number(operations))
  }

const median = (all: readonly number[]): number => [...all].sort((a, b) => a - b)[Math.floor(all.length / 2)] as number
const smallest = (all: readonly number[]): number => Math.min(...all)
const [base] = [...spent.values()] as [number[]]
for (const [name, all] of spent)
  console.log(
    `${name.padEnd(14)} ${median(all).toFixed(1)} µs (${(median(all) - median(base)).toFixed(1)} more), at least ${smallest(all).toFixed(1)} µs (${(smallest(all) - smallest(base)).toFixed(1)} more)`,
  )

await close()
rmSync(below, { recursive: true })
