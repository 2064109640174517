// First: imports are loaded in their order.
import './without-asm.ts'
import Logic, { type Term as Bit } from 'logic-solver'
import type { Formula } from '../formula.ts'
import type { Value } from './domain.ts'
import type { Question } from './shapes.ts'
import { type Certainty, isTrue } from './truth.ts'
import { type PossibleRow, type Universe, type Unknown, universeOf } from './universe.ts'

/** A database in which the formulas are what they were asked to be, with the claims of the caller. */
export interface Found {
  /** The first row of the model that was asked about is the one. */
  readonly rows: ReadonlyMap<string, readonly Readonly<Record<string, Value>>[]>
  /** Pairs of an implicit many-to-many, by the name of its table, as indexes of rows. */
  readonly joined: readonly { readonly table: string; readonly a: number; readonly b: number }[]
  readonly claims: Readonly<Record<string, Value>>
}

/** One formula is true of the row for certain, or may be; another one is not. */
export interface Wanted {
  readonly formula: Formula
  readonly isTrue: boolean
  /** Whatever opaque parts say; false where it is enough that they may say so. */
  readonly isCertain: boolean
}

/** Looks for databases. */
export class Finder {
  private solver = new Logic.Solver()
  private questions = 0

  /** A database, as small as it comes, that has a row as it is wanted; null where there is none. */
  find(question: Omit<Question, 'formulas' | 'name'>, wanted: readonly Wanted[]): Found | null {
    if (wanted.some(isImpossible)) return null
    const formulas = wanted.map(({ formula }) => formula)
    const universe = universeOf({ ...question, formulas, name: `${this.questions}` })
    const solver = this.next()
    const required = [...universe.rules, ...wanted.map((each) => bitOf(universe, each))]
    let solution = solver.solveAssuming(Logic.and(...required))
    if (solution === null) return null
    let known = new Set(solution.getTrueVars())
    // Rows that are not needed would only be in the way of the reader.
    for (const { isThere } of otherRows(universe)) {
      if (!known.has(isThere as string)) continue
      solution = solver.solveAssuming(Logic.and(...required, Logic.not(isThere)))
      if (solution === null) continue
      required.push(Logic.not(isThere))
      known = new Set(solution.getTrueVars())
    }
    return read(universe, known)
  }

  // Making a solver takes 64 MB, which is most of a question's cost. But old questions slow down later ones, so a new
  // solver is made for every 25.
  private next(): InstanceType<typeof Logic.Solver> {
    if (++this.questions % asksOfOne === 0) this.solver = new Logic.Solver()
    return this.solver
  }
}

const asksOfOne = 25

const isImpossible = ({ formula, isTrue: isWanted }: Wanted): boolean =>
  formula.kind === 'constant' && formula.holds !== isWanted

function bitOf(universe: Universe, { formula, isTrue: isWanted, isCertain }: Wanted): Bit {
  const certainty: Certainty = isWanted === isCertain ? 'certain' : 'possible'
  const bit = isTrue(universe, formula, certainty)
  return isWanted ? bit : Logic.not(bit)
}

const otherRows = ({ rows, root }: Universe): readonly PossibleRow[] =>
  [...rows.values()].flat().filter((row) => row !== root)

function read({ rows, claims, root, question }: Universe, known: ReadonlySet<string>): Found {
  const isThere = (row: PossibleRow) => row === root || known.has(row.isThere as string)
  const found = ({ values, bits }: Unknown) => values[bits.findIndex((bit) => known.has(bit as string))] as Value
  const place = new Map([...rows.values()].flatMap((of) => of.filter(isThere).map((row, at) => [row, at] as const)))
  const joined = [...rows].flatMap(([name, of]) =>
    Object.values(question.resources.models[name]?.relations ?? {}).flatMap(({ join, model }) => {
      if (join?.own !== 'A') return []
      return of.flatMap((a) =>
        (rows.get(model) ?? []).flatMap((b) => {
          if (!known.has(`${question.name} ${join.table} ${a.index} ${b.index}`) || !isThere(a) || !isThere(b))
            return []
          return [{ table: join.table, a: place.get(a) as number, b: place.get(b) as number }]
        }),
      )
    }),
  )
  return {
    rows: new Map(
      [...rows].map(([name, of]) => [
        name,
        of
          .filter(isThere)
          .map((row) => Object.fromEntries([...row.columns].map(([column, unknown]) => [column, found(unknown)]))),
      ]),
    ),
    joined,
    claims: Object.fromEntries([...claims].map(([name, unknown]) => [name, found(unknown)])),
  }
}
