import type { Delegates } from '../store.ts'

/** What is done inside of a transaction. */
export type Work<T> = (inside: Delegates) => Promise<T>

/** An operation that begins when its caller awaits it, as Prisma's own: so several can be one transaction. */
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

type Call = (...args: readonly unknown[]) => Promise<unknown>
type Callable = Readonly<Record<string, Call>>

/** Carries an operation out. */
export type Run = (work: Work<unknown>) => Promise<unknown>

const rawOperations: ReadonlySet<string> = new Set([
  '$queryRaw',
  '$queryRawUnsafe',
  '$executeRaw',
  '$executeRawUnsafe',
  '$queryRawTyped',
])

/** The same client, whose operations are carried out by `run` when they are awaited. `own` members stay as given. */
export const deferred = <Client extends object>(
  client: Client,
  run: Run,
  own: Readonly<Record<string, unknown>> = {},
): Client =>
  new Proxy(client, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof name !== 'string') return member
      if (Object.hasOwn(own, name)) return own[name]
      if (rawOperations.has(name)) return operationsOf(name, (inside) => inside, run)
      if (typeof member === 'function') return member.bind(target)
      return isDelegate(member) && !name.startsWith('_') ? deferredDelegate(name, member, run) : member
    },
  })

const isDelegate = (member: unknown): member is Callable =>
  typeof member === 'object' && member !== null && typeof (member as Partial<Delegates[string]>).findMany === 'function'

const deferredDelegate = (model: string, delegate: Callable, run: Run): object =>
  new Proxy(delegate, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof name !== 'string' || typeof member !== 'function') return member
      return operationsOf(name, (inside) => inside[model], run)
    },
  })

const operationsOf =
  (name: string, ownerIn: (inside: Delegates) => unknown, run: Run): Call =>
  (...args) =>
    new Operation(async (inside) => (ownerIn(inside) as Callable)[name]?.(...args), run)
