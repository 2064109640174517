import { existsSync } from 'node:fs'

/** The settings of the application. */
export interface Env {
  readonly port: number
  readonly host: string
  readonly databaseUrl: string
  /** What tokens are signed with. */
  readonly authSecret: string
  /** The public origin that links begin with; null where it is the one that the server listens at. */
  readonly baseUrl: string | null
  readonly production: boolean
  /** NODE_ENV is not set. */
  readonly isModeUnset: boolean
}

const modes = ['production', 'development', 'test']

/** Reads the environment variables, and `.env` for those that are not set. */
export function readEnv(): Env {
  if (existsSync('.env')) process.loadEnvFile('.env')
  const { PORT = '3000', HOST = '127.0.0.1', DATABASE_URL = '', AUTH_SECRET = '', BASE_URL, NODE_ENV } = process.env
  const mode = NODE_ENV ?? 'development'
  if (!modes.includes(mode)) throw new Error(`NODE_ENV must be one of ${modes.join(', ')}, not "${mode}".`)
  if (!/^\d+$/.test(PORT) || Number(PORT) > 65_535)
    throw new Error(`PORT must be a number from 0 to 65535, not "${PORT}".`)
  if (DATABASE_URL === '') throw new Error('DATABASE_URL must be set. See .env.example.')
  if (Buffer.byteLength(AUTH_SECRET) < 32)
    throw new Error('AUTH_SECRET must be set, to a secret of at least 32 bytes. See .env.example.')
  return {
    port: Number(PORT),
    host: HOST,
    databaseUrl: DATABASE_URL,
    authSecret: AUTH_SECRET,
    baseUrl: BASE_URL ?? null,
    production: mode === 'production',
    isModeUnset: NODE_ENV === undefined,
  }
}
