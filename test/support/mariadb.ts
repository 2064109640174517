import { createConnection } from 'mariadb'

const url = new URL(process.env.TEST_MARIADB_URL || 'mariadb://root@127.0.0.1:3306')

export const shownMariadb = url.host

/** The server that tests of MariaDB use; they make databases of their own on it. */
export const mariadbServer = {
  host: url.hostname,
  port: Number(url.port || 3306),
  user: decodeURIComponent(url.username),
  password: decodeURIComponent(url.password),
}

export const mariadbAnswers = await canConnect()

async function canConnect(): Promise<boolean> {
  try {
    const connection = await createConnection({ ...mariadbServer, connectTimeout: 5000 })
    await connection.end()
    return true
  } catch {
    return false
  }
}
