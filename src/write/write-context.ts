import type { Store } from '../database/store.ts'
import type { ReadContext } from '../read/read-context.ts'

/** What rows are written with, inside or outside of a transaction. */
export interface WriteContext extends ReadContext {
  readonly server: ReadContext['server'] & { readonly production: boolean }
  readonly store: Pick<Store, 'reader' | 'single' | 'isWithin' | 'committed'>
}
