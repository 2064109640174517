import type { OpenExplained } from 'prismapi/types'
import { createApp } from './app.ts'
import { signToken } from './auth.ts'
import { openDatabase } from './database.ts'
import { readEnv } from './env.ts'

const silent = { debug() {}, info() {}, warn() {}, error() {} }

/** The application for `npx prismapi explain`; `--as` names a user by id or e-mail address. */
const openExplained: OpenExplained = async (as) => {
  const env = readEnv()
  const clients = await openDatabase(env.databaseUrl)
  const sign = async (who: string): Promise<string> => {
    const where = /^\d{1,9}$/.test(who) ? { id: Number(who) } : { email: who }
    const user = await clients.reader.user.findFirst({ where, select: { id: true } })
    if (user === null) throw new Error(`There is no user ${who}.`)
    return signToken(user.id, env.authSecret)
  }
  try {
    const headers: Record<string, string> = as === null ? {} : { Authorization: `Bearer ${await sign(as)}` }
    const baseUrl = env.baseUrl ?? `http://${env.host}:${env.port}`
    const app = await createApp({ env: { ...env, production: false }, baseUrl, clients, logger: silent })
    return { handler: app.callback(), headers, close: () => clients.close() }
  } catch (error) {
    await clients.close()
    throw error
  }
}

export default openExplained
