import type { Input } from '@prismapi/cli/command'
import type { Machine } from './machine.ts'

interface Installed {
  readonly values: Input['values']
  readonly root: string
  readonly run: Machine['run']
}

const api = 'http://127.0.0.1:3000/api/v1'

/** What a new application that is installed has for its first user: URLs, and a way to sign in. */
export async function readyLines({ values, root, run }: Installed): Promise<readonly string[]> {
  const rows = [
    ['Admin', `${api} in a browser`],
    ['API', `${api}/posts`],
    ['OpenAPI', `${api}/openapi.json`],
    ...(await signInRows({ values, root, run })),
  ] as const
  return ['Your application is ready.', '', ...rows.map(([name, text]) => `${name.padEnd(9)}${text}`)]
}

async function signInRows({ values, root, run }: Installed): Promise<readonly (readonly [string, string])[]> {
  if (values.auth === 'oidc') return [['Sign in', 'fill in the OIDC_ variables of .env']]
  if (values.auth === 'better-auth') return [['Sign up', 'POST http://127.0.0.1:3000/api/auth/sign-up/email']]
  if (values['no-seed'] === true) return [['Sign in', 'make a user first, as prisma/seed.ts does']]
  if (values.auth === 'password') return [['Sign in', 'ann@example.com, password-of-the-seed']]
  if (values.auth === 'keys') return [['Key', await run('npm run --silent key -- ann@example.com write', root)]]
  return [['Token', 'npm run token -- ann@example.com']]
}
