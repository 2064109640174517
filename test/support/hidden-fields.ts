import type { HiddenFields } from '@prismapi/testing/kit'

/** What the example shows of users to some callers only. */
export const hiddenFields: HiddenFields = { User: ['email', 'role'] }
