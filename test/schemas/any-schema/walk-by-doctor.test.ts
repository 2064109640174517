import { walkByDoctor } from '../../support/any-schema/walk-by-doctor.ts'

walkByDoctor('sqlite')
