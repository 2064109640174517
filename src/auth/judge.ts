import type { ModelMeta, Provider } from '../model/meta.ts'
import type { Row, Where } from '../model/where.ts'
import { judgeColumn } from './judge-column.ts'
import { all, any, not, type Verdict } from './verdict.ts'

/** What a condition is held against: a row as Prisma returned it, and what is known of its columns. */
export interface Candidate {
  readonly row: Row
  readonly model: ModelMeta
  readonly provider: Provider
}

/**
 * Does the condition (of `toCondition`) hold for a row, as the database would say; `ask` where only the database can
 * say it: it leaves the row's own columns, or compares in a way that databases and JavaScript do not agree on.
 */
export function judge(where: Where, candidate: Candidate): Verdict {
  const verdicts: Verdict[] = []
  for (const key of Object.keys(where)) verdicts.push(judgeClause(key, where[key], candidate))
  return all(verdicts)
}

function judgeClause(key: string, value: unknown, candidate: Candidate): Verdict {
  const branches = () => (Array.isArray(value) ? value : [value]).map((branch: Where) => judge(branch, candidate))
  if (key === 'AND') return all(branches())
  if (key === 'OR') return any(branches())
  if (key === 'NOT') return all(branches().map(not))
  const { row, model, provider } = candidate
  const column = Object.hasOwn(model.columns, key) ? model.columns[key] : undefined
  if (!column || !Object.hasOwn(row, key)) return 'ask'
  return judgeColumn(column, provider, row[key], value)
}
