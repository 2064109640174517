import { studiosWork } from '../../support/studios/features.ts'

// By a role that the database guards: `prismapi rls` has written its policies.
studiosWork('postgresql', { guarded: true })
