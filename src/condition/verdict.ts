/** SQL's three truth values (null is "unknown", as after a comparison with NULL), or `ask`: not to be judged in memory. */
export type Verdict = true | false | null | 'ask'

export function allVerdicts(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes(false)) return false
  if (verdicts.includes('ask')) return 'ask'
  return verdicts.includes(null) ? null : true
}

export const anyVerdict = (verdicts: readonly Verdict[]): Verdict => notVerdict(allVerdicts(verdicts.map(notVerdict)))

export const notVerdict = (verdict: Verdict): Verdict => (typeof verdict === 'boolean' ? !verdict : verdict)
