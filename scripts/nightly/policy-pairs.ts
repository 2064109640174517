// `npm run nightly -- policies`: random pairs of policies, the solver against every small database, on SQLite and PostgreSQL.
import pg from 'pg'
import { postgresConnection, sqliteConnection } from '../../src/proof/confirm/connections.ts'
import { postgresAnswers, postgresUrl } from '../../test/support/postgres.ts'
import { comparePairs } from '../../test/support/proof/random-pairs.ts'
import { smallWorld } from '../../test/support/proof/small-world.ts'

async function main(pairs: number): Promise<void> {
  const seeds = { from: 1000, pairs }
  const tallies = [await comparePairs(smallWorld('sqlite'), await sqliteConnection(), seeds)]
  if (postgresAnswers) {
    const pool = new pg.Pool({ connectionString: postgresUrl, max: 1 })
    tallies.push(await comparePairs(smallWorld('postgresql'), await postgresConnection(pool), seeds))
    await pool.end()
  }
  for (const { differing, same, faults } of tallies) {
    console.log(`${differing} pairs differ, ${same} do not`)
    for (const fault of faults) console.error(fault)
    if (faults.length > 0) process.exitCode = 1
  }
}

main(Number(process.argv[2])).catch((error: unknown) => {
  console.error(error)
  process.exitCode = 1
})
