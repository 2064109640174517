import { JsonApiError } from '../../src/document/error.ts'

/** What a check refuses, as `[parameter, detail]` pairs. */
export function refusals(
  check: () => unknown,
): (readonly [parameter: string | undefined, detail: string | undefined])[] {
  try {
    check()
  } catch (error) {
    if (!(error instanceof JsonApiError) || error.status !== 400) throw error
    return error.errors.map(({ source, detail }) => [
      source && 'parameter' in source ? source.parameter : undefined,
      detail,
    ])
  }
  throw new Error('Nothing was refused.')
}
