/** The part of logic-solver that is used: it has no types of its own. */
declare module 'logic-solver' {
  export type Term = string | Formula
  export interface Formula {
    readonly type: string
  }
  interface Solution {
    getTrueVars(): string[]
  }
  class Solver {
    solveAssuming(term: Term): Solution | null
  }
  const Logic: {
    readonly TRUE: Term
    readonly FALSE: Term
    and(...terms: readonly Term[]): Term
    or(...terms: readonly Term[]): Term
    not(term: Term): Term
    exactlyOne(...terms: readonly Term[]): Term
    readonly Solver: typeof Solver
  }
  export default Logic
}
