import { takesKeysAsTheDatabaseDoes } from '../../support/any-schema/equal-keys.ts'
import { postgresAnswers, shownUrl } from '../../support/postgres.ts'

if (!postgresAnswers) throw new Error(`PostgreSQL does not answer at ${shownUrl}. Start it, or set TEST_POSTGRES_URL.`)
takesKeysAsTheDatabaseDoes('postgresql')
