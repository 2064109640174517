import { expect, test } from 'vitest'
import { policyFault } from '../../src/auth/decision.ts'
import { reasonToRetry, toClientError } from '../../src/database/prisma/database-errors.ts'

const thrown = (name: string, code: string) => Object.assign(new Error("Can't reach database server"), { name, code })

test('a query of a policy that finds the database away is 503, as any other', () => {
  const away = thrown('PrismaClientKnownRequestError', 'P1001')
  expect(policyFault('posts', 'view', away)).toMatchObject({ name: 'JsonApiError', status: 503, cause: away })
})

test('what else a policy throws names the place and the action', () => {
  const error = new Error('no such thing')
  expect(policyFault('posts', 'view', error)).toMatchObject({
    name: 'PolicyFault',
    message: 'posts, view: no such thing',
    cause: error,
  })
})

test.each([undefined, null, 'text', 7])('an application that throws %s in a write has thrown that', (value) => {
  expect(toClientError(value)).toBe(value)
  expect(reasonToRetry(value)).toBeNull()
})
