import { readersAgree } from '../../support/readers/readers-agree.ts'

for (const name of ['values', 'relations', 'ids', 'joins']) readersAgree(name, 'postgresql')
