import type { Text } from '../../document/text.ts'
import { type Failure, failure } from '../failures/failure.ts'
import { parsePath } from '../failures/paths.ts'
import type { Values } from './request-facts.ts'

/** @internal */
type Hook = (validator: Validator) => void | Promise<void>

/**
 * What `withValidator` may use to add checks of its own.
 *
 * @example
 * declare const isSpam: (text: unknown) => Promise<boolean>
 *
 * export default class CommentRequest extends ResourceRequest<'Comment'> {
 *   override withValidator(validator: Validator) {
 *     validator.after(async () => {
 *       if (await isSpam(validator.data.content)) validator.fail('content', 'This looks like spam.', 'spam')
 *     })
 *   }
 * }
 */
export class Validator {
  /** The validation data: on update the current values, with what the client sent over them. */
  readonly data: Values
  readonly #failures: Failure[] = []
  readonly #hooks: Hook[] = []

  /** Made by the framework. */
  constructor(data: Values) {
    this.data = data
  }

  /** Adds a failure at a field or a path below one (`tags[0]`); `rule` becomes the error's `code`. */
  fail(field: string, message: Text, rule?: string): void {
    this.#failures.push(failure(parsePath(field), rule ?? null, { message }))
  }

  /** Runs when all rules have passed: the data can be relied on, and `toOne()` and `toMany()` answer. */
  after(hook: Hook): void {
    this.#hooks.push(hook)
  }

  /**
   * The failures until now; they are handed out once.
   *
   * @internal
   */
  takeFailures(): readonly Failure[] {
    return this.#failures.splice(0)
  }

  /** @internal */
  get hasHooks(): boolean {
    return this.#hooks.length > 0
  }

  /** @internal */
  async runHooks(): Promise<void> {
    for (const hook of this.#hooks) await hook(this)
  }
}
