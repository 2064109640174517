import { parseArgs } from 'node:util'
import { numberOption } from '../number-option.ts'
import { orderOf } from './price/order.ts'
import { skew } from './price/skew.ts'
import { worstOf } from './price/worst.ts'

// `npm run bench:price -- <database>`: does the price of requests say what they cost, and does it keep them from costing too much? The
// database is a file of the example's, `npm run seed -- --posts 20000`, or the URL of a PostgreSQL database, where the example's Prisma
// client is for that. With --worst, the dearest requests that the limits allow. With --skewed, the rows are first made as uneven as rows
// can be.

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    worst: { type: 'boolean', default: false },
    skewed: { type: 'boolean', default: false },
    queries: { type: 'string' },
    seed: { type: 'string' },
  },
})
const queries = numberOption('--queries', values.queries, { otherwise: 500 })
const seed = numberOption('--seed', values.seed, { otherwise: 1, from: 0 })
const [database] = positionals
if (database === undefined) throw new Error('Name the file of a database of the example, or its URL.')
const url = URL.canParse(database) ? database : `file:${database}`
if (values.skewed) await skew(url)
if (values.worst) await worstOf(url, { queries, seed, isSkewed: values.skewed })
else await orderOf(url, queries, seed)
