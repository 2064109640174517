import { type ISchema, object, type ValidationError } from 'yup'
import { type Failure, toFailures } from '../failures/failure.ts'
import { matches, writePath } from '../failures/places.ts'
import type { Values } from '../request/request-base.ts'
import type { FieldRules } from '../rules/rule-set.ts'

// In: rules and data. Out: every failure, in the order of the rules. A rule that throws is the application's fault, and
// thrown on.

/** Runs rules of which some may have to wait. */
export async function runRules(rules: FieldRules, data: Values, context: object): Promise<readonly Failure[]> {
  const failures = await new Promise<Failure[]>((resolve, reject) => {
    runFields(rules, { data, options: optionsOf(context, false) }, reject, resolve)
  })
  for (const { rule, value, options } of runsBelow(rules, data, context)) {
    await rule.validate(value, options).catch((error: unknown) => void failures.push(...toFailures(error)))
  }
  return withoutNoise(failures)
}

/** Runs rules that answer at once; one that does not is an Error. */
export function runRulesSync(rules: FieldRules, data: Values, context: object): readonly Failure[] {
  const failures: Failure[] = []
  const fail = (error: unknown): never => {
    throw error
  }
  runFields(rules, { data, options: optionsOf(context, true) }, fail, (found) => failures.push(...found))
  for (const { rule, value, options } of runsBelow(rules, data, context)) {
    try {
      rule.validateSync(value, options)
    } catch (error) {
      failures.push(...toFailures(error))
    }
  }
  return withoutNoise(failures)
}

type Options = Parameters<ISchema<unknown>['asNestedTest']>[0]['options']

interface FieldRun {
  readonly data: Values
  readonly options: Options
}

/**
 * Runs each field's rule as yup runs the fields of an object. An object schema of them all would be made anew whenever
 * `rules()` chooses others; a rule on its own is used as the application made it.
 */
function runFields(
  { fields }: FieldRules,
  { data, options }: FieldRun,
  onError: (error: unknown) => void,
  onEnd: (failures: Failure[]) => void,
): void {
  const found: (readonly Failure[])[] = []
  let waiting = fields.size
  if (waiting === 0) onEnd([])
  const nested = { ...options, from: [{ schema: document, value: data }] }
  let index = 0
  for (const [key, rule] of fields) {
    const at = index++
    const run = rule.asNestedTest({ key, parent: data, originalParent: data, parentPath: '', options: nested })
    run(nothing, onError, (errors) => {
      const all = errorsOf(errors)
      if (all.length > 0) found[at] = all.flatMap(toFailures)
      if (--waiting === 0) onEnd(found.flat())
    })
  }
}

/** What tests find in `from`: the data, as the value of an object. */
const document = object()

// yup's tests of a field take all that they need from its rule and the options.
const nothing = {} as Parameters<ReturnType<ISchema<unknown>['asNestedTest']>>[0]

const errorsOf = (errors: ValidationError | ValidationError[] | null): readonly ValidationError[] =>
  errors === null ? [] : Array.isArray(errors) ? errors : [errors]

interface RunBelow {
  readonly rule: FieldRules['below'][number]['rule']
  readonly value: unknown
  readonly options: object
}

function* runsBelow({ below }: FieldRules, data: Values, context: object): Generator<RunBelow> {
  for (const { names, rule } of below) {
    for (const { path, value, parent } of matches(data, names)) {
      yield { rule, value, options: { ...optionsOf(context, false), path: writePath(path), parent } }
    }
  }
}

// yup writes into the options that it is given, so each run has its own.
const optionsOf = (context: object, sync: boolean): Options => ({
  strict: true,
  abortEarly: false,
  disableStackTrace: true,
  context,
  sync,
})

// What is missing has one fault, not one for each rule that it does not meet either.
function withoutNoise(failures: readonly Failure[]): readonly Failure[] {
  if (failures.length < 2) return failures
  const missing = new Set(failures.filter(({ rule }) => rule === 'required').map(({ path }) => path.join('.')))
  const seen = new Set<string>()
  return failures.filter(({ path, rule }) => {
    const at = path.join('.')
    if (missing.has(at) && rule !== 'required') return false
    const isNew = !seen.has(`${at} ${rule}`)
    if (rule !== null) seen.add(`${at} ${rule}`)
    return isNew
  })
}
