// `npm run nightly -- who`: who may do something, by one query, against the policies asked of each of 10,000 users.
import { openManyUsers } from '../../test/support/proof/many-users.ts'

async function main(): Promise<void> {
  const { users, ask, decide, close } = await openManyUsers()
  for (const action of ['view', 'update', 'delete', 'updateAuthor', 'forceDelete']) {
    const start = performance.now()
    const { users: found } = await ask(action)
    const time = performance.now() - start
    const allowed: string[] = []
    for (const user of users) if (await decide(action, user)) allowed.push(`${user.id}`)
    console.log(`${action}: ${found.length} of ${users.length} users in ${time.toFixed(0)} ms`)
    if (JSON.stringify(found) === JSON.stringify(allowed)) continue
    console.error(`${action}: asked one by one, ${allowed.length} may`)
    process.exitCode = 1
  }
  await close()
}

main().catch((error: unknown) => {
  console.error(error)
  process.exitCode = 1
})
