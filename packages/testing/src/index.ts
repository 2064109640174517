import { coverPolicies } from '@prismapi/proof/coverage/tools-of-tests'

// the API, asked as its clients do
export { type Api, type ApiOptions, api } from './api.ts'
export type { TestBody } from './body.ts'
export type { Call } from './call.ts'
// databases
export {
  type TestDatabase,
  type TestDatabases,
  type TestDatabasesOptions,
  testDatabases,
} from './databases/test-databases.ts'
export type { TestDocument } from './document.ts'
// what is expected of an answer
export { type ExpectedError, expectAmongErrors, expectErrors, expectErrorsExactly } from './expectations/errors.ts'
export type { ExpectedResource, ResourceExpectation } from './expectations/expected.ts'
export {
  expectFetchedMany,
  expectFetchedManyExactly,
  expectFetchedManyInOrder,
  expectFetchedNull,
  expectFetchedOne,
  expectFetchedOneExactly,
} from './expectations/fetched.ts'
export { expectAmongIncluded, expectIncluded } from './expectations/included.ts'
export { expectIdentifier, expectIdentifiers, expectIdentifiersInOrder } from './expectations/linkage.ts'
export {
  expectLinks,
  expectLinksExactly,
  expectMeta,
  expectMetaExactly,
  expectMetaOnly,
} from './expectations/members.ts'
export { expectResults } from './expectations/results.ts'
export {
  expectCreated,
  expectCreatedExactly,
  expectNoContent,
  expectUpdated,
  expectUpdatedExactly,
} from './expectations/written.ts'
// rows
export { type FactoryOptions, factories } from './factories/factories.ts'
export type { Definition, Definitions, Factories, Factory, FactoryData, Made, Making } from './factories/factory.ts'
export { type Identified, identifierOf, identifiersOf, type Named } from './identified.ts'
export type { TestOperation } from './operations.ts'
export type { ParameterValue, TestFilter } from './parameters.ts'
export { type Answer, send, type TestRequest } from './send.ts'
export { openTarget, type Target, type TestApp, type TestSource } from './target.ts'

// For `prismapi policies coverage`. Here, because tests name this package before they make an API.
coverPolicies(() => process.env.POLICY_COVERAGE || null)
