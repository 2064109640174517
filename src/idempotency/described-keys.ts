import type { IdempotencyOptions } from '../request/idempotency.ts'
import { type OpenApiPart, type Part, type Paths, parameterRef } from '../server/open-api-part.ts'

const name = 'Idempotency-Key'

/** What clients are told of keys. */
export const describedKeys = ({ keptSeconds }: IdempotencyOptions): OpenApiPart => ({
  parameters: {
    [name]: {
      name,
      in: 'header',
      description: `The request is carried out once: a repeat with the same key and document gets the first answer, for ${spanOf(keptSeconds)}. While that is being made, the repeat gets 409 with \`Retry-After\`. Another request with the key gets 422.`,
      schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
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

const replayed: Part = {
  'Idempotency-Replayed': {
    description: `\`true\` if an earlier request with the same \`${name}\` got this answer.`,
    schema: { type: 'string', enum: ['true'] },
  },
}

/** The paths, with a key for each POST. */
function withKeys(paths: Paths): Paths {
  const keyed = (path: Part): Part => (path.post ? { ...path, post: withKey(path.post as Part) } : path)
  return Object.fromEntries(Object.entries(paths).map(([url, path]) => [url, keyed(path)]))
}

function withKey({ parameters = [], responses, ...operation }: Part): Part {
  return {
    ...operation,
    parameters: [...(parameters as readonly Part[]), parameterRef(name)],
    responses: Object.fromEntries(
      Object.entries(responses as Readonly<Record<string, Part>>).map(([status, response]) => [
        status,
        status.startsWith('2') ? { ...response, headers: { ...(response.headers as Part), ...replayed } } : response,
      ]),
    ),
  }
}
