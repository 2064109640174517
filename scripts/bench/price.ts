import { parseArgs } from 'node:util'
import { numberOption } from '../number-option.ts'
import { orderOf } from './price/order.ts'
import { skew } from './price/skew.ts'
import { worstOf } from './price/worst.ts'

// `npm run bench:price -- <file>`: does the price of requests say what they cost, and does it keep them from costing too much? The
// file is a database of the example: `npm run seed -- --posts 20000`. With --worst, the dearest requests that the limits allow. With
// --skewed, the rows of the file are first made as uneven as rows can be.

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
const [file] = positionals
if (file === undefined) throw new Error('Name the file of a database of the example.')
if (values.skewed) skew(file)
await (values.worst ? worstOf : orderOf)(file, queries, seed)
