import { JsonApiError } from '../document/error.ts'

// Enough to mend a query by; a long list of unknown names is not worth a long answer.
const maxReported = 100

/** Checks every item, and throws the failures of all of them together. */
export function mapAll<T, U>(items: Iterable<T>, check: (item: T) => U): U[] {
  const failures: JsonApiError[] = []
  const checked: U[] = []
  for (const item of items) {
    if (failures.length === maxReported) break
    const result = attempt(() => check(item), failures)
    if (result) checked.push(result.value)
  }
  throwAny(failures)
  return checked
}

type Results<T> = { readonly [K in keyof T]: T[K] extends () => infer R ? R : never }

/** Runs every check, answers with what they gave by name, and throws the failures of all of them together. */
export function checkAll<T extends Readonly<Record<string, () => unknown>>>(checks: T): Results<T> {
  const failures: JsonApiError[] = []
  const entries = Object.entries(checks).map(([name, check]) => [name, attempt(check, failures)?.value])
  throwAny(failures)
  return Object.fromEntries(entries) as Results<T>
}

function attempt<T>(check: () => T, failures: JsonApiError[]): { readonly value: T } | null {
  try {
    return { value: check() }
  } catch (error) {
    if (!(error instanceof JsonApiError)) throw error
    failures.push(error)
    return null
  }
}

export function throwAny(failures: readonly JsonApiError[]): void {
  const error = JsonApiError.all(distinct(failures))
  if (error) throw error
}

// The schema and a rule of the application may refuse a parameter in the same words.
function distinct(failures: readonly JsonApiError[]): readonly JsonApiError[] {
  if (failures.length < 2) return failures
  const single = failures.flatMap((failure) => failure.split())
  return [...new Map(single.map((failure) => [JSON.stringify(failure.errors), failure])).values()]
}
