import { STATUS_CODES } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import type { JsonApiError } from '../../src/document/error.ts'
import * as errors from '../../src/document/errors.ts'
import { say } from '../../src/document/text.ts'

const rows: [name: string, error: JsonApiError, status: number, object: object, headers?: object][] = [
  ['notFound', errors.notFound(), 404, { title: 'Not Found' }],
  ['notFound with a detail', errors.notFound('Gone.'), 404, { title: 'Not Found', detail: 'Gone.' }],
  [
    'routeNotFound',
    errors.routeNotFound('/x'),
    404,
    { title: 'Not Found', detail: 'The route /x could not be found.' },
  ],
  [
    'methodNotAllowed',
    errors.methodNotAllowed('PUT', '/posts', ['GET', 'HEAD', 'POST']),
    405,
    {
      title: 'Method Not Allowed',
      detail: 'The PUT method is not supported for route /posts. Supported methods: GET, HEAD, POST.',
    },
    { Allow: 'GET, HEAD, POST' },
  ],
  [
    'notAcceptable',
    errors.notAcceptable(),
    406,
    {
      title: 'Not Acceptable',
      detail:
        'The requested resource is capable of generating only content not acceptable according to the Accept headers sent in the request.',
    },
  ],
  [
    'unsupportedMediaType',
    errors.unsupportedMediaType(),
    415,
    {
      title: 'Unsupported Media Type',
      detail: 'The request entity has a media type which the server or resource does not support.',
    },
  ],
  [
    'unsupportedEncoding',
    errors.unsupportedEncoding(['gzip', 'br']),
    415,
    {
      title: 'Unsupported Media Type',
      detail: 'The request body has a Content-Encoding which the server does not support.',
    },
    { 'Accept-Encoding': 'gzip, br' },
  ],
  ['invalidJson', errors.invalidJson(say`No.`), 400, { title: 'Invalid JSON', detail: 'No.' }],
  ['badRequest', errors.badRequest('No.'), 400, { title: 'Bad Request', detail: 'No.' }],
  [
    'payloadTooLarge',
    errors.payloadTooLarge(10),
    413,
    { title: 'Payload Too Large', detail: 'The request body must not be larger than 10 bytes.' },
    { Connection: 'close' },
  ],
  ['uriTooLong', errors.uriTooLong(), 414, { title: 'URI Too Long', detail: 'The URL is too long.' }],
  [
    'unauthorized',
    errors.unauthorized('Bearer'),
    401,
    { title: 'Unauthorized', detail: 'Unauthenticated.' },
    { 'WWW-Authenticate': 'Bearer' },
  ],
  [
    'unauthorized with a detail',
    errors.unauthorized('Bearer', 'Expired.'),
    401,
    { title: 'Unauthorized', detail: 'Expired.' },
    { 'WWW-Authenticate': 'Bearer' },
  ],
  ['forbidden', errors.forbidden(), 403, { title: 'Forbidden', detail: 'This action is unauthorized.' }],
  ['forbidden with a message', errors.forbidden('Mine.'), 403, { title: 'Forbidden', detail: 'Mine.' }],
  ['denied as not found', errors.denied(404), 404, { title: 'Not Found' }],
  ['denied with a message', errors.denied(418, 'Tea.'), 418, { title: "I'm a Teapot", detail: 'Tea.' }],
  ['denied with a status without phrase', errors.denied(499), 499, { title: 'Bad Request' }],
  [
    'badParameter',
    errors.badParameter('page[size]', say`No.`),
    400,
    { title: 'Invalid Query Parameter', detail: 'No.', source: { parameter: 'page[size]' } },
  ],
  [
    'nonCompliant',
    errors.nonCompliant(say`No.`, ''),
    400,
    { title: 'Non-Compliant JSON:API Document', detail: 'No.', source: { pointer: '' } },
  ],
  [
    'notSupported',
    errors.notSupported(409, say`No.`, '/data/type'),
    409,
    { title: 'Not Supported', detail: 'No.', source: { pointer: '/data/type' } },
  ],
  ['conflict', errors.conflict('Taken.'), 409, { title: 'Conflict', detail: 'Taken.' }],
  [
    'conflict at a pointer',
    errors.conflict('Taken.', '/data/id'),
    409,
    { title: 'Conflict', detail: 'Taken.', source: { pointer: '/data/id' } },
  ],
  [
    'invalidField',
    errors.invalidField({ detail: 'No.', pointer: '/data', code: 'required', meta: { field: 'title' } }),
    422,
    {
      code: 'required',
      title: 'Unprocessable Entity',
      detail: 'No.',
      source: { pointer: '/data' },
      meta: { field: 'title' },
    },
  ],
  [
    'relatedNotFound',
    errors.relatedNotFound('/data/0'),
    404,
    { title: 'Not Found', detail: 'The related resource does not exist.', source: { pointer: '/data/0' } },
  ],
  ['notDeletable', errors.notDeletable(say`Used.`), 422, { title: 'Not Deletable', detail: 'Used.' }],
  ['unavailable', errors.unavailable(5), 503, { title: 'Service Unavailable' }, { 'Retry-After': '5' }],
  ['internalError', errors.internalError('7f'), 500, { id: '7f', title: 'Internal Server Error' }],
]

test.each(rows)('%s', (_name, error, status, object, headers = {}) => {
  expect({ status: error.status, errors: error.errors, headers: error.headers }).toEqual({
    status,
    errors: [{ status: String(status), ...object }],
    headers,
  })
})

test('the phrase of a status is the same on every version of Node', () => {
  const known = STATUS_CODES[413]
  onTestFinished(() => {
    STATUS_CODES[413] = known
  })
  STATUS_CODES[413] = 'Content Too Large'
  expect(errors.statusPhrase(413)).toBe('Payload Too Large')
  expect([errors.statusPhrase(499), errors.statusPhrase(599)]).toEqual(['Bad Request', 'Internal Server Error'])
})
