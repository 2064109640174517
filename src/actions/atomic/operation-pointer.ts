import { JsonApiError } from '../../document/error.ts'
import { isObject } from '../../document/members.ts'
import type { ErrorObject } from '../../document/types.ts'
import type { AtomicOperation } from './parse-operations.ts'

type Pointed = Pick<AtomicOperation, 'pointer' | 'data'>

/** Does the work of an operation; its errors point into the document of which the operation is a part. */
export async function withOperationPointer<T>(operation: Pointed, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    // What the server could not do is no fault of the operation.
    throw error instanceof JsonApiError && error.status < 500 ? pointedInto(operation, error) : error
  }
}

const pointedInto = (operation: Pointed, error: JsonApiError): JsonApiError =>
  error.map((each) => ({ ...each, source: sourceIn(operation, each) }))

function sourceIn({ pointer, data }: Pointed, { source = { pointer: '' } }: Pick<ErrorObject, 'source'>) {
  // A parameter is one of the request's own URL.
  if (!('pointer' in source)) return source
  const isOfLid = source.pointer === '/data/id' && isObject(data) && !Object.hasOwn(data, 'id')
  return { pointer: pointer + (isOfLid ? '/data/lid' : source.pointer) }
}
