import type { CompiledRules } from './compile-rules.ts'
import { type Failure, toFailures } from './failure.ts'
import { matches, writePath } from './paths.ts'
import type { Values } from './request-state.ts'

/** In: rules and data. Out: every failure, in no particular order. A rule that throws is the application's fault, and thrown on. */
export async function runRules(rules: CompiledRules, data: Values, context: object): Promise<readonly Failure[]> {
  const failures: Failure[] = []
  const collect = (error: unknown) => void failures.push(...toFailures(error))
  await rules.schema.validate(data, optionsOf(context)).catch(collect)
  for (const { names, rule } of rules.below) {
    for (const { path, value, parent } of matches(data, names)) {
      const options = { ...optionsOf(context), path: writePath(path), parent }
      await rule.validate(value, options).catch(collect)
    }
  }
  return withoutNoise(failures)
}

// yup writes into the options that it is given, so each run has its own.
const optionsOf = (context: object) => ({ strict: true, abortEarly: false, disableStackTrace: true, context })

// What is missing has one fault, not one for each rule that it does not meet either.
function withoutNoise(failures: readonly Failure[]): readonly Failure[] {
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
