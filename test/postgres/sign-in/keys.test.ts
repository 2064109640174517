import { keysSignIn } from '../../support/sign-in/keys.ts'

keysSignIn('postgresql')
