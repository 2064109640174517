import { describe, expect, test } from 'vitest'
import { useFixture } from '../../support/any-schema/use-fixture.ts'
import { browserAccept, formIn } from '../../support/pages.ts'

// What is true, false or neither, in the forms of pages without a script: as it is shown, as it is sent and as it is stored.

const api = useFixture('values')
const control = 'boolean?:/data/attributes/boolean'
const states = [
  ['true', true],
  ['false', false],
  ['', null],
] as const

const pageAt = async (path: string): Promise<string> =>
  (await fetch(api.url(path), { headers: { Accept: browserAccept } })).text()
const submit = async (action: string, fields: Readonly<Record<string, string>>): Promise<string> => {
  const { status, headers } = await fetch(new URL(action, api.url('')), {
    ...{ method: 'POST', redirect: 'manual', body: new URLSearchParams(fields) },
    headers: { Accept: browserAccept, 'Sec-Fetch-Site': 'same-origin' },
  })
  expect(status).toBe(303)
  return (headers.get('Location') ?? '').split('?', 1)[0] ?? ''
}
const stored = async (path: string): Promise<unknown> =>
  (await api.ask('GET', path.replace('/api/v1', ''))).body.data.attributes.boolean
const optionsIn = (text: string): readonly (readonly [string | undefined, string | undefined])[] => {
  const [, options = ''] =
    /<select [^>]*data-pointer="\/data\/attributes\/boolean"[^>]*>(.*?)<\/select>/.exec(text) ?? []
  return [...options.matchAll(/<option value="([^"]*)"[^>]*>([^<]*)/g)].map(([, value, title]) => [value, title])
}
const choices = [
  ['', 'none'],
  ['true', 'yes'],
  ['false', 'no'],
]

describe('a nullable boolean', () => {
  test.each(states)('is created by a form as it is chosen: %j', async (chosen, expected) => {
    const text = await pageAt('/optionals?-new=')
    const { action, fields } = formIn(text, 'create')
    expect([optionsIn(text), fields[control]]).toEqual([choices, ''])
    expect(await stored(await submit(action, { ...fields, [control]: chosen }))).toBe(expected)
  })

  describe.each(states)('that is stored as it is chosen by %j', (shown, before) => {
    test.each(states)('is shown so, and %j changes it', async (chosen, after) => {
      const path = `/optionals/${await api.create('optionals', { boolean: before, string: 'untouched' })}`
      const text = await pageAt(`${path}?-edit`)
      const { action, fields } = formIn(text, 'update')
      expect([optionsIn(text), fields[control]]).toEqual([choices, shown])
      await submit(action, { ...fields, [control]: chosen })
      expect(await stored(path)).toBe(after)
    })
  })

  test('is left alone by a form that changes something else', async () => {
    for (const [, before] of states) {
      const path = `/optionals/${await api.create('optionals', { boolean: before })}`
      const { action, fields } = formIn(await pageAt(`${path}?-edit`), 'update')
      await submit(action, { ...fields, 'string?:/data/attributes/string': 'another' })
      expect(await stored(path)).toBe(before)
    }
  })

  test.each([
    ['', 'true', '?filter[boolean]=true', [true]],
    ['', 'false', '?filter[boolean]=false', [false]],
    ['isNull:true', 'true', '?filter[boolean][isNull]=true', [null]],
    ['isNull:false', 'false', '?filter[boolean][isNull]=false', [false, true]],
  ])('narrows a collection by %j with %j', async (operator, value, search, expected) => {
    const mark = `narrowed by ${operator} ${value}`
    for (const [, boolean] of states) await api.create('optionals', { boolean, string: mark })
    const text = await pageAt(`/optionals?-field=boolean&filter[string]=${encodeURIComponent(mark)}`)
    const { action, fields } = formIn(text, 'sentence')
    const asked = new URLSearchParams({ ...fields, '-operator': operator, '-value': value })
    const { status, headers } = await fetch(new URL(`${action}?${asked}`, api.url('')), {
      ...{ redirect: 'manual', headers: { Accept: browserAccept } },
    })
    const to = new URL(headers.get('Location') ?? '', api.url(''))
    expect([status, [...to.searchParams]]).toEqual([303, [['filter[string]', mark], ...new URLSearchParams(search)]])
    const { body } = await api.ask('GET', `/optionals${to.search}`)
    const found = body.data.map((each: { attributes: { boolean: unknown } }) => each.attributes.boolean)
    expect(found.sort()).toEqual([...expected].sort())
  })

  test('offers in a filter that it is empty, and that it is not', async () => {
    const text = await pageAt('/optionals?-field=boolean')
    const [, operators = ''] = /<select name="-operator"[^>]*>(.*?)<\/select>/.exec(text) ?? []
    expect([...operators.matchAll(/value="([^"]*)">([^<]*)/g)].map(([, ...all]) => all)).toEqual([
      ['', 'is'],
      ['isNull:true', 'is empty'],
      ['isNull:false', 'is not empty'],
    ])
  })
})
