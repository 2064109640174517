import type { Values } from '../classes/request-state.ts'
import { type Failure, toFailures } from '../failures/failure.ts'
import { matches, writePath } from '../failures/paths.ts'
import type { CompiledRules } from './compile-rules.ts'

// In: rules and data. Out: every failure, in no particular order. A rule that throws is the application's fault, and
// thrown on.

/** Runs rules of which some may have to wait. */
export async function runRules(rules: CompiledRules, data: Values, context: object): Promise<readonly Failure[]> {
  const failures: Failure[] = []
  for (const { rule, value, options } of runs(rules, data, context)) {
    await rule.validate(value, options).catch((error: unknown) => void failures.push(...toFailures(error)))
  }
  return withoutNoise(failures)
}

/** Runs rules that answer at once; one that does not is an Error. */
export function runRulesSync(rules: CompiledRules, data: Values, context: object): readonly Failure[] {
  const failures: Failure[] = []
  for (const { rule, value, options } of runs(rules, data, context)) {
    try {
      rule.validateSync(value, options)
    } catch (error) {
      failures.push(...toFailures(error))
    }
  }
  return withoutNoise(failures)
}

interface Run {
  readonly rule: CompiledRules['below'][number]['rule']
  readonly value: unknown
  readonly options: object
}

function* runs({ schema, below }: CompiledRules, data: Values, context: object): Generator<Run> {
  yield { rule: schema, value: data, options: optionsOf(context) }
  for (const { names, rule } of below) {
    for (const { path, value, parent } of matches(data, names)) {
      yield { rule, value, options: { ...optionsOf(context), path: writePath(path), parent } }
    }
  }
}

// yup writes into the options that it is given, so each run has its own.
const optionsOf = (context: object) => ({ strict: true, abortEarly: false, disableStackTrace: true, context })

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
