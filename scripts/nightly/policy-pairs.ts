// `npm run nightly -- policies`: so many random pairs of policies, from that one on: the solver against every small database, on SQLite and PostgreSQL.

import { postgresConnection, sqliteConnection } from '@prismapi/proof/confirm/connections'
import pg from 'pg'
import { postgresAnswers, postgresUrl } from '../../test/support/postgres.ts'
import { comparePairs } from '../../test/support/proof/random-pairs.ts'
import { smallWorld } from '../../test/support/proof/small-world.ts'
import { numberOption } from '../number-option.ts'

async function main(pairs: number, from: number): Promise<void> {
  const pool = postgresAnswers ? new pg.Pool({ connectionString: postgresUrl, max: 1 }) : null
  const places = [
    { resources: smallWorld('sqlite'), connection: await sqliteConnection() },
    ...(pool ? [{ resources: smallWorld('postgresql'), connection: await postgresConnection(pool) }] : []),
  ]
  const tallies = await comparePairs(places, { from, pairs })
  await pool?.end()
  console.log(`Pairs ${from} to ${from + pairs - 1}; the number of a pair is its seed.`)
  for (const [i, { differing, same, faults }] of tallies.entries()) {
    console.log(`${places[i]?.resources.provider}: ${differing} pairs differ, ${same} do not`)
    for (const fault of faults) console.error(fault)
    if (faults.length > 0) process.exitCode = 1
  }
}

const [pairs, from] = process.argv.slice(2)
main(numberOption('The number of pairs', pairs), numberOption('The first pair', from, { from: 0 })).catch(
  (error: unknown) => {
    console.error(error)
    process.exitCode = 1
  },
)
