import type { Target } from '../target.ts'
import { cursors } from './cursors.ts'
import { document } from './documents.ts'
import { headers } from './headers.ts'
import { query } from './query.ts'

export const targets: readonly Target[] = [query, ...headers, document, cursors]
