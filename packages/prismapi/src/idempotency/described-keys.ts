import {
  eachOperation,
  type OpenApiPart,
  type Part,
  type Paths,
  parameterRef,
  withHeaders,
} from '@prismapi/core/server/open-api-part'
import type { IdempotencyOptions } from '@prismapi/jsonapi/request/features'
import { tokenHeader } from './guest-token.ts'

const name = 'Idempotency-Key'
const tokenSchema: Part = { type: 'string', minLength: 22, maxLength: 255, pattern: '^[\\w.~+/=-]+$' }

/** What clients are told of keys. */
export const describedKeys = ({ keptSeconds }: IdempotencyOptions): OpenApiPart => ({
  parameters: {
    [name]: {
      name,
      in: 'header',
      description: `The request is carried out once: a repeat with the same key and document gets the first answer, for ${spanOf(keptSeconds)}. While that is being made, the repeat gets 409 with \`Retry-After\`. Another request with the key gets 422.`,
      schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
    },
    [tokenHeader]: {
      name: tokenHeader,
      in: 'header',
      description: `By which a guest, who has not signed in, gets the first answer to the \`${name}\` again: a secret of the client's own, sent with each attempt, or the one of the first answer. A repeat without it gets 409.`,
      schema: tokenSchema,
    },
  },
  errorHeaders: {
    409: {
      'Retry-After': {
        description: 'The seconds to wait, where a request with the same `Idempotency-Key` is being answered.',
        schema: { type: 'string' },
      },
    },
  },
  paths: withKeys,
})

/** As people say it, where it is whole hours. */
function spanOf(seconds: number): string {
  const hours = seconds / 3600
  if (!Number.isInteger(hours)) return `${seconds} seconds`
  return hours === 1 ? 'an hour' : `${hours} hours`
}

/** Headers of answers. */
const told: Part = {
  [tokenHeader]: {
    description: `The token of the request, or a new one, where a guest sent an \`${name}\`: a repeat that brings it gets this answer.`,
    schema: tokenSchema,
  },
  'Idempotency-Replayed': {
    description: `\`true\` if an earlier request with the same \`${name}\` got this answer.`,
    schema: { type: 'string', enum: ['true'] },
  },
}

/** The paths, with a key for each POST. */
function withKeys(paths: Paths): Paths {
  return eachOperation(paths, (operation, method) => (method === 'post' ? withKey(operation) : operation))
}

function withKey({ parameters = [], ...operation }: Part): Part {
  const all = [...(parameters as readonly Part[]), parameterRef(name), parameterRef(tokenHeader)]
  return withHeaders({ ...operation, parameters: all }, told)
}
