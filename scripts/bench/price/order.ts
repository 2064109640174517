import { randomQueries, urlOf } from '../../../test/support/price/random-queries.ts'
import { spearman } from './ranks.ts'
import { type Answer, serve } from './served.ts'

/** Repeats until the least of their times says what the request takes, and not what the machine did beside it. */
const repeats = 15
const slowRepeats = 4
const slowMilliseconds = 30

const defaultLimit = 1_000_000

/** Does the price order random requests as their CPU time does? */
export async function orderOf(url: string, queries: number, seed: number): Promise<void> {
  const { servers, samplesOf, ask, close } = await serve(url, {
    cost: Number.POSITIVE_INFINITY,
    requestMilliseconds: 600_000,
  })
  const [server] = servers
  if (!server) throw new Error('There is no server.')
  const random = randomQueries(server, await samplesOf(server), seed)
  const found: Answer[] = []
  while (found.length < queries) {
    const asked = random.next()
    const first = await ask(server, asked)
    if (first.status !== 200) continue
    const times = [first.cpu]
    while (times.length < (first.cpu < slowMilliseconds ? repeats : slowRepeats))
      times.push((await ask(server, asked)).cpu)
    const answer = { ...first, cpu: Math.min(...times) }
    found.push(answer)
    if (answer.points > defaultLimit && answer.cpu < 100)
      console.log('cheap, and refused', answer, urlOf(server, asked))
    if (answer.points <= defaultLimit && answer.cpu > 1000)
      console.log('dear, and allowed', answer, urlOf(server, asked))
  }
  const rho = spearman(
    found.map(({ points }) => points),
    found.map(({ cpu }) => cpu),
  )
  const refused = found.filter(({ points }) => points > defaultLimit).length
  console.log({ queries, seed, spearman: Number(rho.toFixed(3)), refused })
  await close()
}
