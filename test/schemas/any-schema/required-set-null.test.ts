import { keepsWhatItsRowsRequire } from '../../support/any-schema/required-set-null.ts'

keepsWhatItsRowsRequire('sqlite')
