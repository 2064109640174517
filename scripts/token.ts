import { signToken } from '../src/app/auth.ts'
import { openDatabase } from '../src/app/database.ts'
import { shownUrl } from '../src/app/database-url.ts'
import { readEnv } from '../src/app/env.ts'

/** `npm run token -- <email>`: prints a bearer token, good for 30 days, for a user of the example. */
async function main([email, ...rest]: string[]): Promise<void> {
  if (email === undefined || rest.length > 0) throw new Error('Usage: npm run token -- <email>')
  const { databaseUrl, authSecret } = readEnv(process.env)
  const { reader, close } = await openDatabase(databaseUrl)
  try {
    const user = await reader.user.findUnique({ where: { email }, select: { id: true } })
    if (user === null)
      throw new Error(`${shownUrl(databaseUrl)} has no user "${email}". The seed has admin@example.com.`)
    console.log(await signToken(user.id, authSecret, { expiresIn: '30d' }))
  } finally {
    await close()
  }
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
})
