import { writersAgree } from '../../support/writers/writers-agree.ts'

for (const name of ['values', 'ids']) writersAgree(name, 'postgresql')
