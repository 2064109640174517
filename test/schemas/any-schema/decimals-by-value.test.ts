import { decimalsGoByValue } from '../../support/any-schema/decimals-by-value.ts'

decimalsGoByValue('sqlite')
