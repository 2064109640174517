import { checkAccept, checkContentType } from '@prismapi/core/http/negotiation'
import { parseMediaType, parsePreferences } from '@prismapi/core/http/request/headers'
import { makeETag, mediaTypeOf, parsePrecondition, setETag } from '@prismapi/core/http/response/respond'
import { atomicExtension, cursorProfile, type Extensions } from '@prismapi/jsonapi/document/types'
import fc, { type Arbitrary } from 'fast-check'
import { parseKey } from 'prismapi/internal/idempotency/idempotency'
import { expectSame, parsedOr, type Target } from '../target.ts'

/** Parts of a header in any order, and anything between them. */
const header = (...parts: readonly string[]): Arbitrary<string> =>
  fc
    .array(fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...parts) }, fc.string({ maxLength: 4 })), {
      maxLength: 10,
    })
    .map((all) => all.join(''))

const known: Extensions = { ext: [atomicExtension], profile: [cursorProfile] }
const versions = ['1.0', '1.1'] as const
const mediaWords = [
  ...['application/vnd.api+json', 'application/*', '*/*', 'text/html', ';', ',', ' ', '=', '"', '\\"', 'q=0', 'q=0.5'],
  ...['ext=', 'profile=', `"${atomicExtension}"`, `"${cursorProfile}"`, 'charset=utf-8', '\t', '\\', '/', '"a, b;c"'],
]

/** One media type is read as it is printed; of Accept and Content-Type nothing comes but what was asked for, 406 and 415. */
const mediaTypes: Target = {
  name: 'media-types',
  words: mediaWords,
  inputs: header(...mediaWords),
  check(input) {
    const media = parseMediaType(input)
    if (media) {
      const quoted = (value: string) => `"${value.replaceAll(/["\\]/g, '\\$&')}"`
      const printed = [media.name, ...media.parameters.map(([name, value]) => `${name}=${quoted(value)}`)].join(' ; ')
      expectSame(media, parseMediaType(printed), printed)
    }
    for (const version of versions) {
      parsedOr([406], () => checkAccept(input, version, known))
      const sent = parsedOr([415], () => checkContentType(input, version, known))
      if (!sent) continue
      const { ext, profile } = sent
      const printed = mediaTypeOf({ version, ...(ext.length > 0 && { ext }), ...(profile.length > 0 && { profile }) })
      expectSame(sent, checkContentType(printed, version, known), printed)
    }
  },
}

const tagWords = [
  '"',
  'W/',
  '*',
  ',',
  ' ',
  '"a"',
  '"1/x"',
  'W/"b"',
  '""',
  '/',
  '"a,b"',
  '\\',
  '\u00e9',
  '\u007f',
  '"2024-01-01T00:00:00.000Z/x"',
]

/** Versions are read as they are printed, and as the entity tag of an answer has them. */
const entityTags: Target = {
  name: 'entity-tags',
  words: tagWords,
  inputs: header(...tagWords),
  check(input) {
    const headers = { 'if-match': input, 'if-none-match': input }
    const asked = parsedOr([400], () => parsePrecondition({ headers }))
    for (const method of ['GET', 'PATCH'])
      parsedOr([400, 412], () => setETag({ method, req: { headers }, set() {} } as never, '"1/x"'))
    for (const versions of [asked?.match, asked?.noneMatch]) {
      if (!Array.isArray(versions) || versions.length === 0) continue
      const printed = versions.map((version) => makeETag(version, [Buffer.from('a body')])).join(', ')
      expectSame(versions, parsePrecondition({ headers: { 'if-match': printed } })?.match, printed)
    }
  },
}

const preferWords = [
  'explain',
  '=',
  'authorization',
  'cost',
  'return=minimal',
  ',',
  ';',
  '"',
  '\\"',
  ' ',
  'wait=10',
  '\t',
  'dry-run',
  '""',
]

/** Preferences are words in lower case without spaces and quotes, whatever was sent. */
const prefer: Target = {
  name: 'prefer',
  words: preferWords,
  inputs: header(...preferWords),
  check(input) {
    for (const preference of parsePreferences({ req: { headers: { prefer: input } } } as never))
      if (/[\s"\\]/.test(preference) || preference !== preference.toLowerCase())
        throw new Error(`${JSON.stringify(preference)} is no preference`)
  },
}

const keyWords = [
  '"',
  'a',
  '8e03978e-40d5-43dd-bc93-6894a57f9324',
  '\\',
  ' ',
  '~',
  '!',
  '\u0000',
  '\u00e9',
  'k'.repeat(250),
]

/** A key is read with quotes as it is without, and is never longer than 255 characters. */
const idempotencyKey: Target = {
  name: 'idempotency-key',
  words: keyWords,
  inputs: header(...keyWords),
  check(input) {
    const key = parsedOr([400], () => parseKey(input))
    if (key === undefined) return
    if (key.length < 1 || key.length > 255) throw new Error(`A key of ${key.length} characters`)
    if (!/["\\]/.test(key)) expectSame(key, parseKey(`"${key}"`), `"${key}"`)
  },
}

export const headers: readonly Target[] = [mediaTypes, entityTags, prefer, idempotencyKey]
