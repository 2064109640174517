import { walkEverySchema } from '../../support/any-schema/walk.ts'
import { postgresAnswers, shownUrl } from '../../support/postgres.ts'

// The same schemas, as they are on PostgreSQL.

if (!postgresAnswers) throw new Error(`PostgreSQL does not answer at ${shownUrl}. Start it, or set TEST_POSTGRES_URL.`)
walkEverySchema('postgresql')
