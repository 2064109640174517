import type { OpenExplained } from 'prismapi/types'
import { createApp } from './app.ts'
import { signToken } from './auth.ts'
import { openDatabase } from './database.ts'
import { readEnv } from './env.ts'

const silent = { debug() {}, info() {}, warn() {}, error() {} }

/** The application for `npx prismapi explain`; `--as` names a user by e-mail address. */
const openExplained: OpenExplained = async (as) => {
  const env = readEnv()
  const clients = await openDatabase(env.databaseUrl)
  try {
    const user = as === null ? null : await clients.reader.user.findUniqueOrThrow({ where: { email: as } })
    const baseUrl = env.baseUrl ?? `http://${env.host}:${env.port}`
    const app = await createApp({ env: { ...env, production: false }, baseUrl, clients, logger: silent })
    const headers = user ? { Authorization: `Bearer ${await signToken(user.id, env.authSecret)}` } : undefined
    return { handler: app.callback(), headers: headers ?? {}, close: () => clients.close() }
  } catch (error) {
    await clients.close()
    throw error
  }
}

export default openExplained
