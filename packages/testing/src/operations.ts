import { linkageOf, resourceOf } from './body.ts'
import { identifierOf, isIdentified } from './identified.ts'
import { isObject } from './json.ts'

/** One operation; its `data` and `ref` may be as short as bodies are. */
export interface TestOperation {
  /** What is to be done. */
  readonly op: 'add' | 'update' | 'remove'
  /** What it is done to: `{ type, id }`, with `relationship` for one; a row of a factory will do. */
  readonly ref?: object
  /** The same as a URL. */
  readonly href?: string
  /** The resource, or the linkage. */
  readonly data?: object | null
  /** Whatever else there is to say, such as the `version` that it is about. */
  readonly meta?: object
}

/** The document of a request for atomic operations. */
export const operationsDocument = (operations: readonly TestOperation[]): object => ({
  'atomic:operations': operations.map(({ ref, data, ...rest }) => ({
    ...rest,
    ...(ref !== undefined && { ref: isIdentified(ref) ? identifierOf(ref) : linkageOf(ref) }),
    ...(data !== undefined && { data: dataOf(data) }),
  })),
})

const dataOf = (data: object | null): unknown =>
  isObject(data) && !isIdentified(data) && 'type' in data ? resourceOf(data as { type: unknown }) : linkageOf(data)
