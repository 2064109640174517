import { hasTurn } from '../../../scripts/has-turn.ts'
import { readersAgree } from '../../support/readers/readers-agree.ts'

// Rows and conditions of every kind, read by prepared statements and by Prisma. CI asks of two schemas, others for each commit.

for (const [i, name] of ['values', 'relations', 'ids', 'joins'].entries())
  if (!process.env.CI || hasTurn(i, 2)) readersAgree(name, 'sqlite')
