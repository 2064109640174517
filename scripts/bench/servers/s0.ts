import { answering } from './answering.ts'
import { listen } from './process.ts'
import { chosenWork } from './work/work.ts'

// The limit: a driver's prepared statements, and strings. By `node:http`, or with `koa` by Koa.

const { work, queries } = await chosenWork()
listen(answering(work), queries)
