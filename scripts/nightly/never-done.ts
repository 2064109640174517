// `npm run nightly -- never`: so many random applications, from that one on, and random writes of random callers to them. Whatever changed a
// row of which `policies assert` says that the caller never changes it is a fault. SQLite and PostgreSQL have a process each, and half of them.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { postgresAnswers } from '../../test/support/postgres.ts'
import type { WorldProvider } from '../../test/support/proof/world/in-process-client.ts'
import { walkRandom } from '../../test/support/proof/world/walk-random.ts'
import { numberOption } from '../number-option.ts'

const requests = 8
/** Told as it goes: a night that is ended has said what it saw. */
const atOnce = 50

async function walkOn(provider: WorldProvider, applications: number, from: number): Promise<void> {
  for (let at = 0; at < applications; at += atOnce) {
    const many = Math.min(atOnce, applications - at)
    const { changes, held, asked, faults } = await walkRandom({
      provider,
      from: from + at,
      applications: many,
      requests,
    })
    console.log(
      `${provider}, applications ${from + at} to ${from + at + many - 1}: ${changes} changes; of ${asked} sentences ${held} hold; ${faults.length} faults`,
    )
    for (const fault of faults) console.error(fault)
    if (faults.length > 0) process.exitCode = 1
  }
}

async function main(applications: number, from: number): Promise<void> {
  const providers: readonly WorldProvider[] = postgresAnswers ? ['sqlite', 'postgresql'] : ['sqlite']
  const many = Math.ceil(applications / providers.length)
  await Promise.all(
    providers.map(async (provider, i) => {
      const args = [...process.execArgv, import.meta.filename, `${many}`, `${from + i * many}`, provider]
      const [code] = await once(spawn(process.execPath, args, { stdio: 'inherit' }), 'exit')
      if (code !== 0) process.exitCode = 1
    }),
  )
}

const [applications, from, provider] = process.argv.slice(2)
const given = [
  numberOption('The number of applications', applications),
  numberOption('The first application', from, { from: 0 }),
] as const
const work = provider === undefined ? main(...given) : walkOn(provider as WorldProvider, ...given)
work.catch((error: unknown) => {
  console.error(error)
  process.exitCode = 1
})
