import { writersAgree } from '../../support/writers/writers-agree.ts'

// Rows of every kind, written by one statement and by Prisma.

for (const name of ['values', 'ids']) writersAgree(name, 'sqlite')
