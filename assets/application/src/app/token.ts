import { signToken } from './auth.ts'
import { openDatabase } from './database.ts'
import { readEnv } from './env.ts'

/** `npm run token -- <email>`: prints a bearer token for a user. */
async function main(email = ''): Promise<void> {
  const { databaseUrl, authSecret } = readEnv()
  const clients = await openDatabase(databaseUrl)
  try {
    const user = await clients.reader.user.findUnique({ where: { email }, select: { id: true } })
    if (user === null) throw new Error(`There is no user "${email}". The seed has ann@example.com.`)
    console.log(await signToken(user.id, authSecret))
  } finally {
    await clients.close()
  }
}

main(process.argv[2]).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
})
