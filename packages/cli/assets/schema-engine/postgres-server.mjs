import pg from 'pg'

/** Work that needs a connection to another database than the one in question. */
export async function inMaintenance(url, work) {
  const client = await connect(withDatabase(url, 'postgres'))
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

export async function connect(connectionString) {
  const client = new pg.Client({ connectionString })
  await client.connect()
  return client
}

export function withDatabase(url, name) {
  const other = new URL(url)
  other.pathname = `/${encodeURIComponent(name)}`
  return other.href
}
