/** The environment variables of the example, checked. */
export interface Env {
  readonly port: number
  readonly host: string
  readonly databaseUrl: string
  /** Streaming replicas of a PostgreSQL database, which are read. */
  readonly replicaUrls: readonly string[]
  readonly authSecret: string
  /** True when the secret is the fixed one of development. */
  readonly isDevelopmentSecret: boolean
  /** The public origin that links begin with; null where it is the one that the server listens at. */
  readonly baseUrl: string | null
  /** How many processes serve. */
  readonly workers: number
  readonly logLevel: string
  readonly production: boolean
  /** NODE_ENV is not set. */
  readonly isModeUnset: boolean
}

const developmentSecret = 'a secret for development only, known to everybody'
const modes = ['production', 'development', 'test']
const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']

/** @throws {Error} one line that names the variable and says what it must be. */
export function readEnv(env: NodeJS.ProcessEnv): Env {
  const production = readMode(env.NODE_ENV ?? 'development') === 'production'
  const port = readPort(env.PORT ?? '3000')
  const host = env.HOST ?? '127.0.0.1'
  const authSecret = readSecret(env.AUTH_SECRET, production)
  if (host === '') throw new Error('HOST must not be empty.')
  const databaseUrl = readDatabaseUrl(env.DATABASE_URL ?? 'file:./prisma/dev.db')
  return {
    port,
    host,
    databaseUrl,
    replicaUrls: readReplicaUrls(env.REPLICA_URLS ?? '', databaseUrl),
    authSecret,
    isDevelopmentSecret: authSecret === developmentSecret,
    baseUrl: env.BASE_URL === undefined ? null : readOrigin(env.BASE_URL),
    workers: readWorkers(env.WORKERS ?? '1'),
    logLevel: readLevel(env.LOG_LEVEL ?? 'info'),
    production,
    isModeUnset: env.NODE_ENV === undefined,
  }
}

// A word that is misspelt would open to everybody what development is open for.
function readMode(text: string): string {
  if (modes.includes(text)) return text
  throw new Error(`NODE_ENV must be one of ${modes.join(', ')}, not "${text}".`)
}

function readPort(text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new Error(`PORT must be a number from 0 to 65535, not "${text}".`)
}

function readSecret(text: string | undefined, production: boolean): string {
  if (text === undefined && !production) return developmentSecret
  const least = production ? 32 : 1
  if (production && text === developmentSecret)
    throw new Error('AUTH_SECRET is the secret of development, which everybody knows.')
  if (text !== undefined && Buffer.byteLength(text) >= least) return text
  throw new Error(
    production ? 'AUTH_SECRET must be set, to a secret of at least 32 bytes.' : 'AUTH_SECRET must not be empty.',
  )
}

const isPostgres = (text: string): boolean => URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol)

function readDatabaseUrl(text: string): string {
  const isFile = text.startsWith('file:') && text.length > 'file:'.length
  if (isFile || (isPostgres(text) && new URL(text).pathname.length > 1)) return text
  throw new Error(
    'DATABASE_URL must be the URL of a SQLite file, such as file:./prisma/dev.db, or of a PostgreSQL database, such as postgresql://user:password@localhost:5432/blog.',
  )
}

function readReplicaUrls(text: string, databaseUrl: string): readonly string[] {
  const urls = text.split(',').filter((url) => url.trim() !== '')
  if (urls.every(isPostgres) && (urls.length === 0 || isPostgres(databaseUrl))) return urls
  throw new Error(
    'REPLICA_URLS must be URLs of replicas of the PostgreSQL database that DATABASE_URL names, with commas between them.',
  )
}

function readOrigin(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && !/[?#]/.test(text))
    return text.replace(/\/+$/, '')
  throw new Error(`BASE_URL must be an http or https URL without a query, not "${text}".`)
}

function readWorkers(text: string): number {
  const workers = Number(text)
  if (/^[1-9]\d*$/.test(text) && workers <= 256) return workers
  throw new Error(`WORKERS must be a number from 1 to 256, not "${text}".`)
}

function readLevel(text: string): string {
  if (levels.includes(text)) return text
  throw new Error(`LOG_LEVEL must be one of ${levels.join(', ')}, not "${text}".`)
}
