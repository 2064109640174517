import { studiosWork } from '../../support/studios/features.ts'

studiosWork('sqlite')
