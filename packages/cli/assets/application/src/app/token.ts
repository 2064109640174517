import { startProcess } from 'prismapi'
import { signToken } from './auth.ts'
import { readEnv } from './env.ts'

const [, , email] = process.argv

/** `npm run token -- <email>`: prints a bearer token for a user. */
await startProcess(async () => {
  const { databaseUrl, authSecret } = readEnv()
  const { openDatabase } = await import('./database.ts')
  if (email === undefined) throw new Error('Name a user by their e-mail address: npm run token -- <email>')
  const clients = await openDatabase(databaseUrl)
  try {
    const user = await clients.reader.user.findUnique({ where: { email }, select: { id: true } })
    if (user === null)
      throw new Error(
        `There is no user with the e-mail address ${email}. Rows come from prisma/seed.ts: run npx prisma db seed.`,
      )
    console.log(await signToken(user.id, authSecret))
  } finally {
    await clients.close()
  }
})
