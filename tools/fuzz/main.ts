// `npm run fuzz`: coverage-guided fuzzing of the parsers. `-- --seconds 60 --seed 7 query cursors` fuzzes these two, a minute each.
import { register } from 'node:module'
import { parseArgs } from 'node:util'
import { numberOption } from '../../scripts/number-option.ts'
import { fuzz } from './fuzz.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: 'string' }, seed: { type: 'string' } },
})
const seconds = numberOption('--seconds', values.seconds, { otherwise: 10 })
const seed = numberOption('--seed', values.seed, { otherwise: Date.now() % 2 ** 31, from: 0 })

register('./instrument.mjs', import.meta.url)
const { targets } = await import('./targets/targets.ts')
const unknown = positionals.find((name) => !targets.some((target) => target.name === name))
if (unknown !== undefined)
  throw new Error(`There is no parser ${unknown}. Say one of ${targets.map(({ name }) => name).join(', ')}.`)

console.log(`Seed ${seed}`)
for (const target of targets) {
  if (positionals.length > 0 && !positionals.includes(target.name)) continue
  const { inputs, kept, coverage, finding } = fuzz(target, { seconds, seed })
  const ways = `${kept} kept, ${coverage.features} features of ${coverage.size} counters`
  console.log(`${target.name}: ${inputs} inputs, ${ways}, ${finding ? 'a finding' : 'no finding'}`)
  if (!finding) continue
  console.error(`${JSON.stringify(finding.input)}\n${finding.error.stack}`)
  process.exitCode = 1
}
