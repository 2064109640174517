/** The correlation of the ranks of two lists; equal values share theirs. */
export function spearman(a: readonly number[], b: readonly number[]): number {
  const [x, y] = [ranks(a), ranks(b)]
  const mean = (a.length + 1) / 2
  const of = (p: readonly number[], q: readonly number[]) =>
    p.reduce((sum, each, i) => sum + (each - mean) * ((q[i] as number) - mean), 0)
  return of(x, y) / Math.sqrt(of(x, x) * of(y, y))
}

function ranks(values: readonly number[]): number[] {
  const sorted = [...values].sort((a, b) => a - b)
  return values.map((value) => (sorted.indexOf(value) + sorted.lastIndexOf(value)) / 2 + 1)
}
