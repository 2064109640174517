import type { ScopeActions } from '@prismapi/auth'

/** Reads what its user reads, and writes nothing. */
export const reader: ScopeActions = { '*': ['reads'] }
