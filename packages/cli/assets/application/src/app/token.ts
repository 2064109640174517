import { startProcess } from 'prismapi'
import { signToken } from './auth.ts'
import { readEnv } from './env.ts'

const [, , email = ''] = process.argv

/** `npm run token -- <email>`: prints a bearer token for a user. */
await startProcess(async () => {
  const { databaseUrl, authSecret } = readEnv()
  const { openDatabase } = await import('./database.ts')
  const clients = await openDatabase(databaseUrl)
  try {
    const user = await clients.reader.user.findUnique({ where: { email }, select: { id: true } })
    if (user === null) throw new Error(`There is no user "${email}". The seed has ann@example.com.`)
    console.log(await signToken(user.id, authSecret))
  } finally {
    await clients.close()
  }
})
