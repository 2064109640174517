import type { HiddenFields } from '../../src/testing/kit/index.ts'

/** What the example shows of users to some callers only. */
export const hiddenFields: HiddenFields = { User: ['email', 'role'] }
