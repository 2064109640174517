import { daysAreDays } from '../../support/any-schema/everyday-days.ts'

daysAreDays('sqlite')
