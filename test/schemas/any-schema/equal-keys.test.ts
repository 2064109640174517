import { takesKeysAsTheDatabaseDoes } from '../../support/any-schema/equal-keys.ts'

takesKeysAsTheDatabaseDoes('sqlite')
