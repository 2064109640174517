import { keepsExactValues } from '../../support/any-schema/exact-values.ts'

keepsExactValues('sqlite')
