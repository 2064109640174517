import type { FaultName } from './faults.ts'

/** Tests that compare what callers are told with what they may see, and which faults of the wall each of them has to notice. */
export interface Walk {
  readonly project: 'api' | 'exhaustive'
  readonly file: string
  readonly notices: readonly FaultName[]
}

/** Which walk covers what. */
export const walks: Readonly<Record<string, Walk>> = {
  'filters that hidden rows meet or break': {
    project: 'exhaustive',
    file: 'test/exhaustive/scoped-filters.test.ts',
    notices: ['listed', 'soft deletion', 'behind a filter or a sort'],
  },
  'values that are hidden of rows': {
    project: 'exhaustive',
    file: 'test/exhaustive/field-rules/twins.test.ts',
    notices: ['fields of rows'],
  },
  'figures, and what they add up to': {
    project: 'exhaustive',
    file: 'test/exhaustive/statistics/reckoned.test.ts',
    notices: ['groups of figures'],
  },
  'the kit, of what is read and filtered by': {
    project: 'exhaustive',
    file: 'test/exhaustive/kit/leaky.test.ts',
    notices: ['listed', 'related', 'named', 'behind a filter or a sort'],
  },
  'the kit, of writes': {
    project: 'exhaustive',
    file: 'test/exhaustive/kit/leaky-writes.test.ts',
    notices: ['related', 'named'],
  },
  'rows that may not be viewed': {
    project: 'api',
    file: 'test/spec/view-everywhere.test.ts',
    notices: ['listed', 'related', 'viewEverywhere', 'behind a filter or a sort'],
  },
  'rows that may not be viewed, some of them deleted': {
    project: 'api',
    file: 'test/spec/view-everywhere-deleted.test.ts',
    notices: ['listedWithDeleted', 'viewEverywhere'],
  },
  'rows at each door': {
    project: 'api',
    file: 'test/spec/hiding.test.ts',
    notices: ['listed', 'related', 'named', 'viewAnyByView'],
  },
  'streams while hidden rows change': {
    project: 'exhaustive',
    file: 'test/exhaustive/live/leak-walk.test.ts',
    notices: ['listed', 'related', 'named'],
  },
  'every URL that reads, beside hidden rows and without them': {
    project: 'exhaustive',
    file: 'test/exhaustive/scopes.test.ts',
    notices: [
      ...(['listed', 'listedWithDeleted', 'related', 'relatedWithDeleted', 'named'] as const),
      ...(['soft deletion', 'behind a filter or a sort'] as const),
    ],
  },
  'twins of an application with all that hides rows': {
    project: 'exhaustive',
    file: 'test/exhaustive/twins/requests.test.ts',
    notices: ['related', 'named'],
  },
}
