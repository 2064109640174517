import { keepsWhatItsRowsRequire } from '../../support/any-schema/required-set-null.ts'
import { postgresAnswers, shownUrl } from '../../support/postgres.ts'

if (!postgresAnswers) throw new Error(`PostgreSQL does not answer at ${shownUrl}. Start it, or set TEST_POSTGRES_URL.`)
keepsWhatItsRowsRequire('postgresql')
