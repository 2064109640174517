import { betterAuthCounts, betterAuthSignsIn } from '../../support/sign-in/better-auth.ts'

betterAuthSignsIn('sqlite')
betterAuthCounts('sqlite')
