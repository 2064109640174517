import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { type LinkedProject, linkProject } from '../support/linked-project.ts'
import { identityProvider } from '../support/sign-in/identity-provider.ts'

// `prismapi init --auth=…` writes an application that compiles, starts, and signs in.

const projects: LinkedProject[] = []
afterAll(() => {
  for (const project of projects) project.remove()
})

const html = { Accept: 'text/html', 'Sec-Fetch-Site': 'same-origin' }
const seeded = { login: 'ann@example.com', password: 'password-of-the-seed' }

async function makeApplication(kind: string, more: Readonly<Record<string, string>> = {}): Promise<LinkedProject> {
  const project = linkProject({ DATABASE_URL: 'file:./prisma/dev.db', ...more })
  projects.push(project)
  await project.prismapi('init', `--auth=${kind}`)
  await project.prisma('generate')
  await project.prisma('migrate', 'dev', '--name', 'init')
  await project.node('--conditions=prismapi/source', '--import', 'tsx', 'prisma/seed.ts')
  expect(await project.tsc()).toBe('')
  return project
}

const packagesOf = ({ folder }: LinkedProject): readonly string[] =>
  Object.keys(JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')).dependencies)

const cookiesOf = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')

/** Who wrote a post by these credentials, or the status of the refusal. */
async function write(url: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const response = await fetch(`${url}/api/v1/posts`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/vnd.api+json', Accept: 'application/vnd.api+json', ...headers },
    body: JSON.stringify({ data: { type: 'posts', attributes: { title: 'New', content: 'Text.' } } }),
  })
  return response.status
}

const submit = (url: string, form: Readonly<Record<string, string>>) =>
  fetch(url, { method: 'POST', headers: html, body: new URLSearchParams(form), redirect: 'manual' })

describe('prismapi init --auth', () => {
  test('=keys makes an application whose keys sign in, with scopes', async () => {
    const project = await makeApplication('keys')
    expect(packagesOf(project)).toContain('@prismapi/auth')
    const newKey = async (...scopes: string[]) =>
      (
        await project.node(
          '--conditions=prismapi/source',
          '--import',
          'tsx',
          'src/app/key.ts',
          'ann@example.com',
          ...scopes,
        )
      ).trim()
    const [read, all] = [await newKey(), await newKey('write')]
    expect(read).toMatch(/^pk_/)
    const { url, stop } = await project.serve()
    expect(await write(url, {})).toBe(401)
    expect(await write(url, { Authorization: `Bearer ${read}` })).toBe(403)
    expect(await write(url, { Authorization: `Bearer ${all}` })).toBe(201)
    expect(await write(url, { Authorization: 'Bearer pk_wrong' })).toBe(401)
    await stop()
    expect(await project.prismapi('policies', 'assert', 'user with scope read never create Post')).toContain('holds')
  })

  test('=password makes an application whose pages have a form', async () => {
    const project = await makeApplication('password')
    const { url, stop } = await project.serve()
    const form = await (await fetch(`${url}/api/v1/-browse/sign-in`, { headers: html })).text()
    expect(form).toContain('name="password"')
    const wrong = await submit(`${url}/api/v1/-browse/sign-in`, { ...seeded, password: 'wrong' })
    expect([wrong.status, (await wrong.text()).includes('The login or the password is wrong.')]).toEqual([401, true])
    const right = await submit(`${url}/api/v1/-browse/sign-in`, seeded)
    expect(right.status).toBe(303)
    expect(await write(url, { Cookie: cookiesOf(right) })).toBe(201)
    await stop()
  })

  test('=oidc makes an application that takes the tokens of a provider, and sends browsers there', async () => {
    const provider = await identityProvider()
    const project = await makeApplication('oidc', {
      ...{ OIDC_ISSUER: provider.issuer, OIDC_AUDIENCE: 'https://api.example.org', OIDC_CLIENT_ID: 'web' },
    })
    const { url, stop } = await project.serve()
    const claims = { sub: 'of the provider', name: 'Cleo', email: 'cleo@example.com', email_verified: true }
    const token = await provider.signed(claims)
    expect(await write(url, { Authorization: `Bearer ${token}` })).toBe(201)
    expect(await write(url, { Authorization: `Bearer ${await provider.signed({ ...claims, aud: 'other' })}` })).toBe(
      401,
    )
    const stranger = { sub: 'stranger', email: 'd@example.com', email_verified: false }
    expect(await write(url, { Authorization: `Bearer ${await provider.signed(stranger)}` })).toBe(401)
    const begun = await fetch(`${url}/api/v1/-browse/sign-in`, { headers: html, redirect: 'manual' })
    expect([begun.status, begun.headers.get('Location')]).toEqual([
      303,
      '/api/v1/-browse/sign-in/127-0-0-1?back=%2Fapi%2Fv1',
    ])
    await stop()
    await provider.close()
  })

  test('=better-auth makes an application that signs up, and in', async () => {
    const project = await makeApplication('better-auth')
    expect(packagesOf(project)).toContain('better-auth')
    const { url, said, stop } = await project.serve()
    const dan = { name: 'Dan', email: 'dan@example.com', password: 'correct horse battery staple' }
    const up = await fetch(`${url}/api/auth/sign-up/email`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: url },
      body: JSON.stringify(dan),
    })
    expect([up.status, await up.text()]).toEqual([200, expect.stringContaining('dan@example.com')])
    expect(await write(url, { Cookie: cookiesOf(up) })).toBe(201)
    const form = { login: dan.email, password: dan.password }
    const wrong = await submit(`${url}/api/v1/-browse/sign-in`, { ...form, password: 'wrong' })
    expect([wrong.status, wrong.status === 401 ? '' : said()]).toEqual([401, ''])
    const signedIn = await submit(`${url}/api/v1/-browse/sign-in`, form)
    expect(signedIn.status).toBe(303)
    expect(await write(url, { Cookie: cookiesOf(signedIn) })).toBe(201)
    await stop()
  })

  test('=anything else is refused', async () => {
    const project = linkProject({})
    projects.push(project)
    await expect(project.prismapi('init', '--auth=ldap')).rejects.toThrow(
      '--auth is better-auth, oidc, keys or password, not "ldap".',
    )
  })
})
