import type { Served } from './open.ts'
import { isCreatable, type Population } from './populate.ts'

/** What no client can create says so: 405 where Prisma cannot, 403 where what is required is hidden. */
export async function walkRefusals({ schemas, ask }: Served): Promise<void> {
  for (const schema of schemas.byType.values()) {
    if (isCreatable(schema)) continue
    const { status, allow } = await ask('POST', `/${schema.type}`, { data: { type: schema.type, attributes: {} } })
    const isRight = schema.operations.has('create')
      ? [403, 422].includes(status)
      : status === 405 && allow === 'GET, HEAD, QUERY'
    if (!isRight) throw new Error(`POST /${schema.type} answered ${status}, Allow: ${allow}`)
  }
}

/** Ids that name nothing, of whatever kind, are 404 wherever they stand. */
export async function walkStrangeIds({ schemas, ask }: Served, all: Population): Promise<void> {
  for (const schema of schemas.byType.values()) {
    const known = new Set((all.get(schema.type) ?? []).map(({ id }) => id))
    for (const id of strangeIds.filter((each) => !known.has(each))) {
      const path = `/${schema.type}/${encodeURIComponent(id)}`
      for (const url of [path, ...[...schema.relations.keys()].slice(0, 1).map((name) => `${path}/${name}`)]) {
        const { status } = await ask('GET', url)
        if (status !== 404) throw new Error(`${url} answered ${status}`)
      }
    }
  }
}

const strangeIds = [
  ...[
    'abc',
    '-0',
    '01',
    '1.5',
    '+1',
    '1e3',
    '0x1',
    '2147483648',
    '-2147483649',
    '9223372036854775808',
    '1'.repeat(400),
  ],
  ...[
    'NaN',
    'Infinity',
    'null',
    'true',
    '💥',
    "' OR 1=1 --",
    'a_b',
    'a_b_c',
    'a_b_c_d',
    '1_2_3',
    '_',
    '%',
    '%41',
    'a%00',
  ],
  ...['2024-01-01T00:00:00.000Z', '00000000-0000-0000-0000-000000000000', 'AAAA', '{}', '[1]', 'x'.repeat(1000)],
]
