import type { Delegates } from '../store.ts'

/** What is done inside of a transaction. */
export type Work<T> = (inside: Delegates) => Promise<T>

/** An operation that begins when its caller waits for it, as Prisma's own do: so a caller can hand several of them to one transaction. */
export class Operation implements Promise<unknown> {
  readonly [Symbol.toStringTag] = 'PrismaPromise'
  readonly work: Work<unknown>
  readonly #alone: (work: Work<unknown>) => Promise<unknown>
  #begun: Promise<unknown> | null = null

  constructor(work: Work<unknown>, alone: (work: Work<unknown>) => Promise<unknown>) {
    this.work = work
    this.#alone = alone
  }

  // biome-ignore lint/suspicious/noThenProperty: to be waited for is what it is made for
  then: Promise<unknown>['then'] = (onDone, onFailed) => this.#run().then(onDone, onFailed)
  catch: Promise<unknown>['catch'] = (onFailed) => this.#run().catch(onFailed)
  finally: Promise<unknown>['finally'] = (onEnd) => this.#run().finally(onEnd)

  #run(): Promise<unknown> {
    this.#begun ??= this.#alone(this.work)
    return this.#begun
  }
}
