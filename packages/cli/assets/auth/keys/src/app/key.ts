import { startProcess } from 'prismapi'
import { readEnv } from './env.ts'

const [, , email = '', ...scopes] = process.argv

/** `npm run key -- <email> [scope…]`: makes an API key for a user, and prints it once. */
await startProcess(async () => {
  const { openDatabase } = await import('./database.ts')
  const { keysOf } = await import('./sign-in.ts')
  const clients = await openDatabase(readEnv().databaseUrl)
  try {
    const user = await clients.reader.user.findUnique({ where: { email }, select: { id: true } })
    if (user === null) throw new Error(`There is no user "${email}". The seed has ann@example.com.`)
    const wanted = scopes.length === 0 ? ['read'] : scopes
    const { key } = await keysOf(clients).create({ owner: user.id, name: wanted.join(' '), scopes: wanted })
    console.log(key)
  } finally {
    await clients.close()
  }
})
