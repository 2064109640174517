import { sessionsSignIn } from '../../support/sign-in/sessions.ts'

sessionsSignIn('sqlite')
