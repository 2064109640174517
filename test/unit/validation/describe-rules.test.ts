import { describe, expect, test } from 'vitest'
import { describeRules } from '../../../src/validation/request/describe-rules.ts'
import type { RequestClass } from '../../../src/validation/request/request-classes.ts'
import { ResourceRequest } from '../../../src/validation/request/resource-request.ts'
import { string } from '../../../src/validation/rules/rules.ts'
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
