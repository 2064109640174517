/** SQL's three truth values (null is "unknown", as after a comparison with NULL), or `ask`: not to be judged here. */
export type Verdict = true | false | null | 'ask'

export function all(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes(false)) return false
  if (verdicts.includes('ask')) return 'ask'
  return verdicts.includes(null) ? null : true
}

export const any = (verdicts: readonly Verdict[]): Verdict => not(all(verdicts.map(not)))

export const not = (verdict: Verdict): Verdict => (typeof verdict === 'boolean' ? !verdict : verdict)
