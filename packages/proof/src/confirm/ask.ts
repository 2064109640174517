import type { Reader } from '@prismapi/core/database/reader'
import { all, equalsEach } from '@prismapi/jsonapi/condition/build'
import type { Condition } from '@prismapi/jsonapi/condition/condition'
import type { ModelMeta } from '@prismapi/jsonapi/model/meta'
import type { Row } from '@prismapi/jsonapi/model/where'
import { always, both, either, type Formula, negated, never } from '../formula.ts'
import { type Asking, toCondition } from './to-condition.ts'

/** Does the row meet the condition, as the reader says. */
export async function meets(reader: Reader, model: ModelMeta, row: Row, condition: Condition): Promise<boolean> {
  const id = equalsEach(model, Object.fromEntries(model.key.map((column) => [column, row[column]])))
  return (await reader.read({ kind: 'count', model: model.name, where: all(...id, condition) })) > 0
}

/** All rows that meet the condition. */
export async function rowsThat(
  reader: Reader,
  model: ModelMeta,
  { columns, condition }: { readonly columns: readonly string[]; readonly condition: Condition },
): Promise<readonly Row[]> {
  return reader.read({
    kind: 'rows',
    model: model.name,
    columns,
    where: condition,
    order: [],
    skip: 0,
    take: null,
  })
}

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
