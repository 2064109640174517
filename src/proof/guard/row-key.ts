import { literal, quoted } from '../../database/quoted.ts'
import type { Formula } from '../formula.ts'
import { ruledAs } from './callers.ts'
import type { ColumnSource } from './row-condition.ts'
import type { Ruled } from './row-rules.ts'

/** What holds of the row that a key leads to. */
export const parentHolds = (relation: string, parent: readonly Ruled[]): readonly Ruled[] =>
  ruledAs(parent, (part: Formula) => ({ kind: 'related', relation, quantifier: 'is', part }))

/** A name for a row, which a transaction remembers of rows that it wrote and may not see. */
export const rowKey = ({ model, side }: ColumnSource): string =>
  `md5(jsonb_build_array(${[literal(model.name), ...model.key.map((name) => `${side}.${quoted(model.columns[name]?.column ?? name)}`)].join(', ')})::text)`
