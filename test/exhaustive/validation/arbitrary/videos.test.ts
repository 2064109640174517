import { testArbitraryDocuments } from '../../../support/arbitrary-requests.ts'

testArbitraryDocuments(['videos', 'comments'])
