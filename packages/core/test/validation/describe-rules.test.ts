import { describe, expect, test } from 'vitest'
import { describeRules, describeRulesFor } from '../../src/validation/request/describe-rules.ts'
import type { RequestClass } from '../../src/validation/request/resource-query.ts'
import { ResourceRequest } from '../../src/validation/request/resource-request.ts'
import { string } from '../../src/validation/rules/rules.ts'
import { world } from './fixture.ts'

const described = (request: RequestClass) => {
  const { ctx, schema } = world({ request: { Tag: request } })
  const found = describeRules({ ...ctx.server, services: {} as never }, { kind: 'create', schema: schema('Tag') })
  return found && { fields: [...found.rules.fields.keys()], isPersonal: found.isPersonal }
}

const requestWith = (rules: (request: ResourceRequest<'Tag'>) => object): RequestClass =>
  class extends ResourceRequest<'Tag'> {
    override rules() {
      return rules(this) as never
    }
  } as unknown as RequestClass

describe('the rules that can be told before there is a request', () => {
  test('are those of every caller, where they ask for none', () => {
    expect(described(requestWith(() => ({ name: string() })))).toEqual({ fields: ['name'], isPersonal: false })
  })

  test("are a guest's, where they ask who it is", () => {
    const rules = (request: ResourceRequest<'Tag'>) => (request.user ? { name: string() } : {})
    expect(described(requestWith(rules))).toEqual({ fields: [], isPersonal: true })
  })

  test('are none, where code of the application relies on a user', () => {
    const rules = (request: ResourceRequest<'Tag'>) => ({
      [(request.user as unknown as { field: string }).field]: string(),
    })
    expect(described(requestWith(rules))).toBe(null)
  })

  test('are refused, where they can never be run', () => {
    expect(() => described(requestWith(() => ({ nam: string() })))).toThrow('Did you mean name?')
  })
})

interface Told {
  readonly kind?: 'create' | 'update'
  readonly user?: object | null
}

/** What is logged where rules are told so many times. */
function toldOf(request: RequestClass, times: number, { kind = 'create', user = { id: 1 } }: Told = {}) {
  const { ctx, schema } = world({ request: { Tag: request }, user })
  const lines: object[] = []
  const logger = { warn: (fields: object, message: string) => void lines.push({ ...fields, message }) }
  const caller = { ...ctx, server: { ...ctx.server, services: {} as never, logger } }
  const operation = kind === 'create' ? { kind, schema: schema('Tag') } : { kind, schema: schema('Tag'), id: '1' }
  for (let i = 0; i < times; i++) expect(describeRulesFor(caller, operation)).toBe(null)
  return lines
}

test('what a class throws where its rules are only told is logged with how often, and not each time', () => {
  const faulty = requestWith(() => ({ name: (undefined as never as { of: never }).of }))
  const line = {
    ...{ err: expect.any(TypeError), type: 'tags', operation: 'create' },
    message: 'The rules of a write threw before it, so documents and forms show none',
  }
  expect(toldOf(faulty, 99)).toEqual([
    { ...line, times: 1 },
    { ...line, times: 10 },
  ])
})

test('what needs a document, a row or a user is no fault where there is none', () => {
  const ofData = requestWith((request) => ({ name: string().oneOf([String(request.validationData().name)]) }))
  const ofRow = requestWith((request) => ({ name: string().oneOf([(request.model() as { name: string }).name]) }))
  const ofUser = requestWith(({ user }) => ({ name: string().oneOf([(user as unknown as { name: string }).name]) }))
  expect([...toldOf(ofData, 1), ...toldOf(ofRow, 1, { kind: 'update' }), ...toldOf(ofUser, 1, { user: null })]).toEqual(
    [],
  )
})
