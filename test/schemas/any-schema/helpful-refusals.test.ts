import { refusesHelpfully } from '../../support/any-schema/helpful-refusals.ts'

refusesHelpfully('sqlite')
