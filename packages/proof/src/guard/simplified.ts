import { both, either, type Formula, negated } from '../formula.ts'

/** The same formula, shorter: no part stands twice beside itself, or beside a part that says less. */
export function simplified(formula: Formula): Formula {
  switch (formula.kind) {
    case 'all':
    case 'any':
      return joined(formula)
    case 'not':
      return negated(simplified(formula.part))
    case 'related':
      return { ...formula, part: simplified(formula.part) }
    default:
      return formula
  }
}

type Joined = Extract<Formula, { kind: 'all' | 'any' }>

function joined({ kind, parts }: Joined): Formula {
  const flat = parts.map(simplified).flatMap((part) => (part.kind === kind ? part.parts : [part]))
  const distinct = [...new Map(flat.map((part) => [JSON.stringify(part), part])).values()]
  const other = kind === 'all' ? 'any' : 'all'
  const texts = (part: Formula) => (part.kind === other ? part.parts : [part]).map((each) => JSON.stringify(each))
  // Of `a OR (a AND b)` only a remains, and of `a AND (a OR b)`.
  const needed = distinct.filter((part) => {
    const own = new Set(texts(part))
    return !distinct.some((each) => each !== part && texts(each).every((text) => own.has(text)))
  })
  return kind === 'all' ? both(...needed) : either(...needed)
}
