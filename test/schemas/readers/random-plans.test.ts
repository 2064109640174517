import { readersAgree } from '../../support/readers/readers-agree.ts'

// Rows and conditions of every kind, read by prepared statements and by Prisma.

for (const name of ['values', 'relations', 'ids', 'joins']) readersAgree(name, 'sqlite')
