import { startProcess } from 'prismapi'
import { readEnv } from './env.ts'

const [, , email, ...scopes] = process.argv

/** `npm run key -- <email> [scope…]`: makes an API key for a user, and prints it once. */
await startProcess(async () => {
  const { openDatabase } = await import('./database.ts')
  const { keysOf } = await import('./sign-in.ts')
  if (email === undefined) throw new Error('Name a user by their e-mail address: npm run key -- <email> [scope…]')
  const clients = await openDatabase(readEnv().databaseUrl)
  try {
    const user = await clients.reader.user.findUnique({ where: { email }, select: { id: true } })
    if (user === null)
      throw new Error(
        `There is no user with the e-mail address ${email}. Rows come from prisma/seed.ts: run npx prisma db seed.`,
      )
    const wanted = scopes.length === 0 ? ['read'] : scopes
    const { key } = await keysOf(clients).create({ owner: user.id, name: wanted.join(' '), scopes: wanted })
    console.log(key)
  } finally {
    await clients.close()
  }
})
