import type { Fields } from 'prismapi'
import { describe, expect, test } from 'vitest'
import {
  AnySchema,
  blog,
  changesOf,
  diff,
  documentOf,
  edited,
  posts,
  resourceFile,
  served,
} from '../../../../test/support/api-files.ts'

class Hidden extends AnySchema {
  override fields(): Fields {
    return [this.attribute('summary').hidden() as never]
  }
}

class Alone extends AnySchema {
  override fields(): Fields {
    return [this.relation('author' as never).cannotInclude()]
  }
}

const text = (parts: Parameters<typeof documentOf>[0]) => JSON.stringify(documentOf(parts))
const now = edited(['summary  String?', 'summary String @default("")'], ['  LIVE\n', '  LIVE\n  OLD\n'])

describe('two OpenAPI documents', () => {
  test('are told of by what breaks and what does not, each by where it is', async () => {
    expect(await diff({ 'old.json': text({}), 'new.json': text(now) }, 'old.json', 'new.json')).toEqual({
      status: 1,
      said: `old.json → new.json: 6 changes break clients, 4 do not

breaking
  posts
    attribute summary on create, attribute summary on update: may not be null any more
    attribute state in answers: may be OLD
    filter[summary][isNull], sort=summary:nullsFirst, sort=summary:nullsLast: gone

compatible
  posts
    attribute summary in answers: may not be null any more
    attribute state on create, attribute state on update, filters by state: may be OLD`,
      complained: 'error 6 changes break clients.',
    })
  })

  test('that say the same have nothing to tell', async () => {
    expect(await diff({ 'a.json': text({}), 'b.json': text({}) }, 'a.json', 'b.json')).toEqual({
      status: 0,
      said: 'a.json → b.json: nothing changed for clients',
      complained: '',
    })
  })

  test('are told of in JSON', async () => {
    const files = { 'old.json': text({}), 'new.json': text(edited(['summary  String?', 'abstract String?'])) }
    const { status, said } = await diff(files, 'old.json', 'new.json', '--json')
    expect({ status, ...JSON.parse(said) }).toEqual({
      status: 1,
      changes: [
        { breaks: true, where: 'posts', what: 'attribute summary', rule: 'gone', says: 'gone', sunset: null },
        { breaks: false, where: 'posts', what: 'attribute abstract', rule: 'new', says: 'new', sunset: null },
      ],
    })
  })

  test('may have more paths than are written out', () => {
    const deep = (includeDepth: number) => served({ limits: { includeDepth } })
    expect(changesOf(deep(20), deep(20))).toEqual([])
    expect(changesOf(deep(20), deep(19))).toEqual([
      '- comments include: has maxDepth 19, had maxDepth 20',
      '- posts include: has maxDepth 19, had maxDepth 20',
      '- users include: has maxDepth 19, had maxDepth 20',
    ])
    expect(changesOf(deep(20), { ...deep(20), ...posts(Alone) })).toEqual(['- posts include=author: gone'])
  })

  test('lose no path where a list of them becomes a pattern', () => {
    const [shallow, deep] = [served({ limits: { includeDepth: 3 } }), served({ limits: { includeDepth: 20 } })]
    expect(changesOf(shallow, deep)).toEqual([
      '+ comments include: has maxDepth 20, had maxDepth 3',
      '+ posts include: has maxDepth 20, had maxDepth 3',
      '+ users include: has maxDepth 20, had maxDepth 3',
    ])
    expect(changesOf(deep, shallow)).toEqual([
      '- comments include: has maxDepth 3, had maxDepth 20',
      '- posts include: has maxDepth 3, had maxDepth 20',
      '- users include: has maxDepth 3, had maxDepth 20',
    ])
  })
})

describe('two resource files', () => {
  test('are compared by what is inferred from them', async () => {
    const files = { 'old.mjs': resourceFile(blog), 'new.mjs': resourceFile(now.prisma as string) }
    const { status, said } = await diff(files, 'old.mjs', 'new.mjs', '--json')
    const lines = JSON.parse(said).changes.map(({ what, says }: { what: string; says: string }) => `${what}: ${says}`)
    expect(status).toBe(1)
    expect(lines).toContain('attribute summary on create: may not be null any more')
  })
})

test('what an OpenAPI document has of schema classes is compared', () => {
  expect(changesOf({}, posts(Hidden))).toEqual(['- posts attribute summary: gone'])
})

describe('is refused with a line that says why:', () => {
  const files = {
    'a.json': text({}),
    'a.mjs': resourceFile(blog),
    'b.json': '{"openapi":"2.0"}',
    'c.json': '{',
    'd.yaml': '',
    'e.mjs': 'export const nothing = 1\n',
  }
  test.each([
    ['one file', ['a.json'], 'Usage: prismapi diff <old> <new> [--allow-sunset] [--json]'],
    ['three files', ['a.json', 'a.json', 'a.json'], 'Usage: prismapi diff <old> <new> [--allow-sunset] [--json]'],
    ['a file that is not there', ['a.json', 'x.json'], 'x.json: there is no such file.'],
    [
      'no OpenAPI',
      ['a.json', 'b.json'],
      'b.json is no OpenAPI document. Write one with prismapi openapi --out=b.json.',
    ],
    ['no JSON', ['c.json', 'a.json'], /^error c\.json cannot be read: /],
    ['another kind of file', ['d.yaml', 'a.json'], /^error d\.yaml is neither an OpenAPI document/],
    [
      'no resources',
      ['e.mjs', 'a.mjs'],
      'e.mjs exports no resources. Name the resources.ts that prisma generate wrote.',
    ],
    [
      'two kinds',
      ['a.json', 'a.mjs'],
      /^error a\.json is an OpenAPI document and a\.mjs is a resource file\. Compare two of a kind/,
    ],
  ])('%s', async (_name, args, message) => {
    const { status, complained } = await diff(files, ...args)
    expect(status).toBe(1)
    if (typeof message === 'string') expect(complained).toBe(`error ${message}`)
    else expect(complained).toMatch(message)
  })
})
