import type { TestRequest } from '@prismapi/testing/internal/send'
import fc, { type Arbitrary } from 'fast-check'

// Headers that change how a document is made, and values of which a server knows nothing.

const odd = [
  '',
  ' ',
  ',',
  ';',
  '*',
  '"',
  '"x',
  'W/"',
  'x'.repeat(900),
  '\u00e4\u00ff',
  "' OR 1=1 --",
  '%{jndi:x}',
  'q=',
  '__proto__',
]
const language = ['de', 'fr', 'en', 'de-AT', 'fr;q=0.2, de;q=0.9', '*', 'qps', 'de;q=2', ...odd]
const preference = [
  'explain',
  'explain=authorization',
  'cost',
  'server-timing',
  'return=minimal',
  'cost, explain',
  ...odd,
]
const tag = ['*', '"x"', 'W/"x"', '"1-x"', '"x", "y"', ...odd]
const documents = ['*/*', 'application/*', 'application/json', 'application/vnd.api+json;q=0.5', 'text/plain', 'text/*']
const accepted = [
  ...documents,
  'application/vnd.api+json; charset=utf-8',
  'application/vnd.api+json; profile="https://example.org/none"',
  'application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"',
  ...odd,
]

const drawn: Readonly<Record<string, readonly string[]>> = {
  'Accept-Language': language,
  Prefer: preference,
  Accept: accepted,
  'If-None-Match': tag,
  'If-Match': tag,
  Host: ['example.org', 'example.org:1', '[::1]', ...odd.filter((each) => each.trim() !== '')],
  'X-Forwarded-Host': odd,
  'X-HTTP-Method-Override': ['DELETE', 'GET', ...odd],
  Origin: ['https://example.org', 'null', ...odd],
  'X-Request-Id': odd,
  Range: ['bytes=0-10', ...odd],
}

const ofBodies: typeof drawn = {
  'Idempotency-Key': ['"k"', '"k2"', 'k', '"\u00e4"', ...odd],
  'Content-Type': [...accepted, 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'],
  'Content-Encoding': ['gzip', 'br', 'identity', 'zip', ...odd],
}

const some = (headers: typeof drawn): Arbitrary<Readonly<Record<string, string>>> =>
  fc
    .array(
      fc
        .constantFrom(...Object.keys(headers))
        .chain((name) => fc.tuple(fc.constant(name), fc.constantFrom(...(headers[name] as readonly string[])))),
      { maxLength: 2 },
    )
    .map((pairs) => Object.fromEntries(pairs))

/** Two of three requests as they are, the others with headers that were drawn. */
export function withHeaders(requests: Arbitrary<TestRequest>): Arbitrary<TestRequest> {
  const reading = some(drawn)
  const writing = some({ ...drawn, ...ofBodies })
  return fc
    .tuple(requests, reading, writing, fc.nat({ max: 2 }))
    .map(([request, read, written, turn]) =>
      turn > 0
        ? request
        : { ...request, headers: { ...request.headers, ...(request.body === undefined ? read : written) } },
    )
}
