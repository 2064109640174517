import { expect, test } from 'vitest'
import { expectErrors } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { browserOf } from '../../support/pages.ts'

const api = useApi()
const browser = browserOf(api)

const paths = [
  ['/api/v1/docs', 'GET, HEAD'],
  ['/api/v1/docs/openapi.json', 'GET, HEAD'],
  ['/api/v1/docs/assets/openapi-explorer.js', 'GET, HEAD'],
  ['/api/v1/docs/assets/docs.js', 'GET, HEAD'],
  ['/api/v1/-browse/assets/browse.js', 'GET, HEAD'],
  ['/api/v1/-browse/sign-in', 'POST'],
  ['/api/v1/-browse/sign-out', 'POST'],
] as const

test.each(paths)('%s tells its methods, %s, and takes no other', async (path, allow) => {
  const options = await api.guest.request('OPTIONS', path)
  expect([options.status, options.headers.get('Allow'), options.body]).toEqual([204, allow, undefined])
  const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((method) => !allow.includes(method))
  for (const method of others) {
    const answer = await api.guest.request(method, path)
    expectErrors(answer, {
      status: '405',
      title: 'Method Not Allowed',
      detail: `The ${method} method is not supported for route ${path}. Supported methods: ${allow}.`,
    })
    expect(answer.headers.get('Allow')).toBe(allow)
  }
})

test.each(['/api/v1/docs/assets/secret.js', '/api/v1/-browse/assets/secret.js', '/api/v1/-browse/nothing'])(
  '%s is not there, whatever the method',
  async (path) => {
    for (const method of ['OPTIONS', 'GET', 'POST', 'DELETE'])
      expect([method, (await browser.send(path, { method, headers: { Accept: '*/*' } })).status]).toEqual([method, 404])
  },
)
