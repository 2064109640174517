import { isEverything } from '../../../condition/build.ts'
import {
  type Absent,
  type All,
  type Any,
  type Compare,
  type Condition,
  type Constant,
  type Not,
  type Related,
  type Visitor,
  visit,
} from '../../../condition/condition.ts'
import { NotInSql } from '../not-in-sql.ts'
import { columnCondition } from './column-conditions.ts'
import type { Walk } from './walk.ts'

/**
 * A condition on the columns of one side, as the terms of the walk; null for everything. Every walk goes the same way, so
 * that the values of one fit the slots of another.
 */
export const conditionOf = <Side, Term>(where: Condition, side: Side, walk: Walk<Side, Term>): Term | null =>
  isEverything(where) ? null : visit(where, new Conditions(walk), side)

/** Conditions as terms: as SQL, or as the text of its shape. */
class Conditions<Side, Term> implements Visitor<Term, Side> {
  private readonly walk: Walk<Side, Term>

  constructor(walk: Walk<Side, Term>) {
    this.walk = walk
  }

  all({ conditions }: All, side: Side): Term {
    return this.walk.terms.all(conditions.map((each) => visit(each, this, side)))
  }

  any({ conditions }: Any, side: Side): Term {
    return this.walk.terms.any(conditions.map((each) => visit(each, this, side)))
  }

  not({ condition }: Not, side: Side): Term {
    return this.walk.terms.not(visit(condition, this, side))
  }

  compare(node: Compare, side: Side): Term {
    return columnCondition(node, side, this.walk)
  }

  json(): never {
    throw new NotInSql('a condition on JSON')
  }

  related({ relation, quantifier, condition }: Related, side: Side): Term {
    const { terms } = this.walk
    // A join and not EXISTS, as Prisma has it: NOT makes another thing of a condition that is NULL than of a false one.
    if (quantifier === 'is') {
      const joined = terms.joined(side, relation)
      const present = terms.isPresent(joined, relation)
      return isEverything(condition) ? present : terms.all([visit(condition, this, joined), present])
    }
    if (quantifier === 'every')
      return terms.not(terms.exists(side, relation, (target) => terms.not(visit(condition, this, target))))
    const exists = terms.exists(side, relation, (target) =>
      isEverything(condition) ? null : visit(condition, this, target),
    )
    return quantifier === 'none' ? terms.not(exists) : exists
  }

  absent({ relation }: Absent, side: Side): Term {
    const { terms, catalog } = this.walk
    const { pairs } = catalog.joinOf(relation)
    if (!relation.isNullable || pairs.length > 1) throw new NotInSql(`null for ${relation.name}`)
    const [[key]] = pairs as [(typeof pairs)[number]]
    // As Prisma does: the key that lies on this side, or the one of the row that is joined.
    if (relation.foreignKey) return terms.isNull(side, key)
    return terms.not(terms.isPresent(terms.joined(side, relation), relation))
  }

  constant({ holds }: Constant): Term {
    if (holds === null) throw new NotInSql('an undecided condition')
    return this.walk.terms.constant(holds)
  }
}
