import { walkEverySchema } from '../../support/any-schema/walk.ts'

// Schemas that are written to be nasty, generated, migrated and served without any code, then asked everything.

walkEverySchema('sqlite')
