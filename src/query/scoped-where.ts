import type { ModelMeta } from '../model/meta.ts'
import { every, nothing, type Where } from '../model/where.ts'
import type { CheckContext } from './check-context.ts'
import { type Crossed, crossing } from './filter-tree.ts'

interface Standing {
  readonly model: string
  /** The condition stands under a NOT, with no EXISTS between. */
  readonly isDenied: boolean
  readonly check: CheckContext
}

/**
 * In: a condition that the application wrote for a filter. Out: the same, for none but the rows that this request may
 * see wherever it crosses a relation: a client who chooses its value could probe the hidden ones otherwise.
 */
export function scopedWhere(where: Where, standing: Standing): Where {
  const { models } = standing.check.resources
  const modelMeta = models[standing.model] as ModelMeta
  const { relations } = modelMeta
  const clauses = Object.entries(where).map(([key, value]): Where => {
    if (value === undefined) return {}
    // Prisma takes an empty OR for "nothing" at one place and for "everything" at another.
    if (key === 'OR' && [value].flat().length === 0) return nothing(modelMeta.key[0] as string)
    if (key === 'AND' || key === 'OR')
      return { [key]: [value].flat().map((each) => scopedWhere(each as Where, standing)) }
    if (key === 'NOT')
      return { NOT: [value].flat().map((each) => scopedWhere(each as Where, { ...standing, isDenied: true })) }
    const relation = Object.hasOwn(relations, key) ? relations[key] : undefined
    if (!relation) return { [key]: value }
    return every(
      ...testsOf(value).map(([test, inner]) =>
        crossed(test, inner as Where | null, { field: key, model: relation.model }, standing),
      ),
    )
  })
  return every(...clauses)
}

const tests: ReadonlySet<string> = new Set(['is', 'isNot', 'some', 'every', 'none'])

/** Prisma takes a to-one relation's condition without its `is`, too. */
function testsOf(value: unknown): readonly (readonly [test: string, inner: unknown])[] {
  const entries = value === null ? [] : Object.entries(value as object).filter(([, inner]) => inner !== undefined)
  return entries.some(([test]) => tests.has(test)) ? entries : [['is', value]]
}

function crossed(test: string, inner: Where | null, relation: Crossed, { isDenied, check }: Standing): Where {
  const cross = (
    quantifier: 'is' | 'some' | 'every' | 'none',
    isInnerDenied: boolean,
    isOuterDenied: boolean,
  ): Where => {
    const where = scopedWhere(inner ?? {}, { model: relation.model, isDenied: isInnerDenied, check })
    return crossing({ relation, quantifier }, where, { isDenied: isOuterDenied, check })
  }
  const is = (denied: boolean) => cross('is', denied, denied)
  const isNot = () => ({ NOT: is(true) })
  switch (test) {
    // `null`: there is no target, or none that may be seen.
    case 'is':
      return inner === null ? isNot() : is(isDenied)
    case 'isNot':
      return inner === null ? is(isDenied) : isNot()
    case 'every':
      return cross('every', true, isDenied)
    default:
      return cross(test as 'some' | 'none', false, isDenied)
  }
}
