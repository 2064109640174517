import type { RelationMeta } from '../../../model/meta.ts'
import type { Where } from '../../../model/where.ts'
import { NotInSql } from '../not-in-sql.ts'
import { columnCondition } from './column-conditions.ts'
import { type At, allOf, isPlain, type Walk } from './walk.ts'

/**
 * A condition in Prisma's vocabulary as Prisma means it: a branch without a condition is no condition, so null comes back
 * for a condition that is none; an empty OR is one that never holds, but only where it stands alone.
 * Every walk goes the same way, so that the values of one fit the slots of another.
 */
export function conditionOf<Side, Term>(where: Where, at: At<Side>, walk: Walk<Side, Term>): Term | null {
  return clauses(where, at, walk, true)
}

function clauses<Side, Term>(where: Where, at: At<Side>, walk: Walk<Side, Term>, isWhole: boolean): Term | null {
  const terms: Term[] = []
  for (const key in where) {
    const value = where[key]
    const term = value === undefined ? null : clause(key, value, at, walk, isWhole)
    if (term !== null) terms.push(term)
  }
  return allOf(terms, walk)
}

function clause<Side, Term>(
  key: string,
  value: unknown,
  at: At<Side>,
  walk: Walk<Side, Term>,
  isWhole: boolean,
): Term | null {
  switch (key) {
    case 'AND':
      return allOf(branches(value, at, walk), walk)
    case 'OR':
      if (!Array.isArray(value)) throw new NotInSql('an OR that is no list')
      return anyOf(branches(value, at, walk), walk, isWhole)
    case 'NOT':
      return allOf(
        branches(value, at, walk).map((term) => walk.terms.not(term)),
        walk,
      )
    default:
      return fieldCondition(key, value, at, walk)
  }
}

function branches<Side, Term>(value: unknown, at: At<Side>, walk: Walk<Side, Term>): readonly Term[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  const terms: Term[] = []
  for (const branch of list) {
    if (!isPlain(branch)) throw new NotInSql('a branch that is no condition')
    const term = clauses(branch, at, walk, false)
    if (term !== null) terms.push(term)
  }
  return terms
}

function anyOf<Side, Term>(terms: readonly Term[], { terms: make }: Walk<Side, Term>, isWhole: boolean): Term {
  if (terms.length > 0) return terms.length === 1 ? (terms[0] as Term) : make.any(terms)
  if (!isWhole) throw new NotInSql('an empty OR inside of another branch')
  return make.constant(false)
}

function fieldCondition<Side, Term>(key: string, value: unknown, at: At<Side>, walk: Walk<Side, Term>): Term | null {
  const { relations } = at.model
  const relation = Object.hasOwn(relations, key) ? relations[key] : undefined
  if (!relation) return columnCondition(walk.catalog.column(at.model, key), value, at.side, walk)
  if (relation.isList) return toManyCondition(relation, value, at, walk)
  return toOneCondition(relation, value, at, walk)
}

function toManyCondition<Side, Term>(
  relation: RelationMeta,
  value: unknown,
  at: At<Side>,
  walk: Walk<Side, Term>,
): Term | null {
  if (!isPlain(value)) throw new NotInSql(`what is asked of ${relation.name}`)
  const { target: model } = walk.catalog.link(relation)
  const { terms: make } = walk
  const exists = (where: Where, isDenied: boolean): Term =>
    make.exists(at.side, relation, (side) => {
      const term = conditionOf(where, { side, model }, walk)
      if (!isDenied) return term
      return term === null ? make.constant(false) : make.not(term)
    })
  const terms: Term[] = []
  for (const test in value) {
    const where = value[test]
    if (where === undefined) continue
    if (!isPlain(where)) throw new NotInSql(`what is asked of ${relation.name}`)
    if (test === 'some') terms.push(exists(where, false))
    else if (test === 'none') terms.push(make.not(exists(where, false)))
    else if (test === 'every') terms.push(make.not(exists(where, true)))
    else throw new NotInSql(`"${test}" of ${relation.name}`)
  }
  return allOf(terms, walk)
}

function toOneCondition<Side, Term>(
  relation: RelationMeta,
  value: unknown,
  at: At<Side>,
  walk: Walk<Side, Term>,
): Term | null {
  if (value === null) return targetCondition(relation, 'is', null, at, walk)
  if (!isPlain(value)) throw new NotInSql(`what is asked of ${relation.name}`)
  if (!('is' in value || 'isNot' in value)) {
    const isEmpty = Object.values(value).every((part) => part === undefined)
    return isEmpty ? null : targetCondition(relation, 'is', value, at, walk)
  }
  const terms: Term[] = []
  for (const test in value) {
    if (test !== 'is' && test !== 'isNot') throw new NotInSql(`"${test}" of ${relation.name}`)
    const where = value[test]
    if (where !== undefined) terms.push(targetCondition(relation, test, where, at, walk))
  }
  return allOf(terms, walk)
}

// A join and not EXISTS, as Prisma has it: NOT makes another thing of a condition that is NULL than of a false one.
function targetCondition<Side, Term>(
  relation: RelationMeta,
  test: 'is' | 'isNot',
  where: unknown,
  at: At<Side>,
  walk: Walk<Side, Term>,
): Term {
  const { terms: make, catalog } = walk
  const { target: model, pairs } = catalog.link(relation)
  const side = make.joined(at.side, relation)
  const present = make.isPresent(side, relation)
  if (where === null) {
    // Prisma asks the key that lies on this side, or the one of the row that was joined.
    if (!relation.isNullable || pairs.length > 1) throw new NotInSql(`null for ${relation.name}`)
    const [[ownColumn]] = pairs as [(typeof pairs)[number]]
    const missing = relation.foreignKey ? make.isNull(at.side, ownColumn) : make.not(present)
    return test === 'is' ? missing : make.not(missing)
  }
  if (!isPlain(where)) throw new NotInSql(`what is asked of ${relation.name}`)
  const term = conditionOf(where, { side, model }, walk) ?? make.constant(true)
  return test === 'is' ? make.all([term, present]) : make.any([make.not(term), make.not(present)])
}
