import type { Reader } from '../../database/reader.ts'
import type { ModelMeta } from '../../model/meta.ts'
import { always, both, either, type Formula, negated, never } from '../formula.ts'
import { type Asking, toCondition } from './to-condition.ts'

/** The formula with what it asks of any row answered: a condition is about one row and those that relations lead to. */
export async function settled(formula: Formula, reader: Reader, asking: Asking): Promise<Formula> {
  const of = (part: Formula) => settled(part, reader, asking)
  switch (formula.kind) {
    case 'all':
      return both(...(await Promise.all(formula.parts.map(of))))
    case 'any':
      return either(...(await Promise.all(formula.parts.map(of))))
    case 'not':
      return negated(await of(formula.part))
    case 'related':
      return { ...formula, part: await of(formula.part) }
    case 'somewhere': {
      const model = asking.resources.models[formula.model] as ModelMeta
      const where = toCondition(await of(formula.part), model, asking)
      return (await reader.read({ kind: 'count', model: model.name, where })) > 0 ? always : never
    }
    default:
      return formula
  }
}
