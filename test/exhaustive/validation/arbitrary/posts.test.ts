import { testArbitraryDocuments } from '../../../support/arbitrary-requests.ts'

testArbitraryDocuments(['posts', 'profiles'])
