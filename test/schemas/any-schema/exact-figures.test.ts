import { figuresAreExact } from '../../support/any-schema/exact-figures.ts'

figuresAreExact('sqlite')
