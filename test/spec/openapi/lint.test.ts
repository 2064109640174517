import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import { type Caller, useApi } from '../../support/api.ts'

const api = useApi()

// A license is the application's to choose; every other rule of Redocly's recommended set holds, warnings too.
const config = createConfig({ extends: ['recommended'], rules: { 'info-license': 'off' } })

const callers: readonly (readonly [string, () => Caller])[] = [
  ['a guest', () => api.guest],
  ['a member', () => api.as(3)],
  ['an administrator', () => api.as(1)],
]

describe.each(['v1', 'v2'])('the OpenAPI document of %s', (name) => {
  test.each(callers)('for %s passes two validators', async (_, caller) => {
    const { status, body } = await caller().get(`/api/${name}/openapi.json`)
    expect(status).toBe(200)
    expect(await new Validator().validate(body)).toEqual({ valid: true })
    const problems = await lintFromString({ source: JSON.stringify(body), config: await config })
    const said = problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)
    expect(said).toEqual([])
  })
})
