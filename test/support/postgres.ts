import pg from 'pg'

/** The server that tests of PostgreSQL use; they make databases of their own on it. */
export const postgresUrl = process.env.TEST_POSTGRES_URL || 'postgresql://postgres@127.0.0.1:5432/postgres'

export const postgresAnswers = await canQuery(postgresUrl)

export const shownUrl = withoutPassword(postgresUrl)

export async function inPostgres<T>(connectionString: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5000 })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

export function withDatabase(url: string, name: string): string {
  const other = new URL(url)
  other.pathname = `/${name}`
  return other.href
}

async function canQuery(url: string): Promise<boolean> {
  try {
    await inPostgres(url, (client) => client.query('SELECT 1'))
    return true
  } catch {
    return false
  }
}

function withoutPassword(url: string): string {
  const other = new URL(url)
  other.password = ''
  return other.href
}
