import { testArbitraryDocuments } from '../../../support/arbitrary-requests.ts'

testArbitraryDocuments(['users', 'tags'])
