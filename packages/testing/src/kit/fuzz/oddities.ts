import fc, { type Arbitrary } from 'fast-check'

/** Strings and numbers that have broken servers. */
const oddities = fc.constantFrom<unknown>(
  '',
  ' ',
  '0',
  'null',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udc00x',
  '\u{10ffff}',
  '__proto__',
  'constructor',
  '\'; DROP TABLE "Post"; --',
  '%_\\',
  '2024-02-30T00:00Z',
  '9999999999999999999',
  'x'.repeat(300),
  Number.MAX_SAFE_INTEGER + 1,
  2 ** 31,
  -(2 ** 31) - 1,
  5e-324,
  1.7976931348623157e308,
  { increment: 1 },
  { set: null },
  { connect: { id: 1 } },
  { constructor: { prototype: {} } },
  [[[[]]]],
)

export const anything: Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: oddities },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' }) },
)

/** Seldom wrong: a document has many members, and one fault hides the faults of later stages. */
export const mostly = <T = unknown>(
  usual: Arbitrary<T>,
  wrong: Arbitrary<T> = anything as Arbitrary<T>,
  times = 25,
): Arbitrary<T> => fc.oneof({ weight: times, arbitrary: usual }, { weight: 1, arbitrary: wrong })
