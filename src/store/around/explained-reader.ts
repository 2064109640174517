import type { AskedLevel, Explaining } from '../../request/explaining.ts'
import type { Reader } from '../reader.ts'

/** Tells what is read, and what came of it. */
export function explainedReader(reader: Reader, explaining: Explaining): Reader {
  const asked = (operation: AskedLevel['operation'], model: string, plan: object): AskedLevel => ({
    ...{ operation, model },
    plan: plan as AskedLevel['plan'],
  })
  return {
    rows: (plan) => explaining.read(asked('rows', plan.model, plan), () => reader.rows(plan)),
    joined: (plan) => explaining.read(asked('joined', plan.model, plan), () => reader.joined(plan)),
    count: (model, where) => explaining.read(asked('count', model, { where }), () => reader.count(model, where)),
    countBy: (model, columns, where) =>
      explaining.read(asked('countBy', model, { columns, where }), () => reader.countBy(model, columns, where)),
    countThrough: (plan) => explaining.read(asked('countThrough', plan.model, plan), () => reader.countThrough(plan)),
  }
}
