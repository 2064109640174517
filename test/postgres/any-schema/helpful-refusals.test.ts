import { refusesHelpfully } from '../../support/any-schema/helpful-refusals.ts'
import { postgresAnswers, shownUrl } from '../../support/postgres.ts'

if (!postgresAnswers) throw new Error(`PostgreSQL does not answer at ${shownUrl}. Start it, or set TEST_POSTGRES_URL.`)
refusesHelpfully('postgresql')
