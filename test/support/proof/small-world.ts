import type { ModelMeta, Provider, Resources } from '@prismapi/jsonapi/model/meta'
import { both, either, type Formula, negated, never } from '@prismapi/proof/formula'
import { resourcesOf } from '../resources-of.ts'

// A schema that is small enough for every database of a few rows to be looked at, and rules about it by the dice.

const schema = `
model Team {
  id      Int      @id
  isOpen  Boolean
  members Person[]
}
model Person {
  id     Int   @id
  rank   Int?
  team   Team? @relation(fields: [teamId], references: [id])
  teamId Int?
  tags   Tag[]
}
model Tag {
  id     Int      @id
  name   String
  people Person[]
}`

export function smallWorld(provider: Provider): Resources {
  const datasource = `datasource db {\n  provider = "${provider}"\n}\n`
  return resourcesOf(datasource + schema, provider)
}

export const personOf = ({ models }: Resources): ModelMeta => models.Person as ModelMeta

/** Numbers from 0 to 1 that a seed stands for: mulberry32. */
export function dice(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** What a policy allows: rules in their order, each of which decides on what it fits. */
export function randomPolicy(roll: () => number): Formula {
  const rules = 1 + Math.floor(roll() * 3)
  let allowed: Formula = never
  for (let i = 0; i < rules; i++) {
    const condition = randomFormula('Person', roll, 2)
    allowed = i > 0 && roll() < 0.4 ? both(allowed, negated(condition)) : either(allowed, condition)
  }
  return allowed
}

/** The same policy in other words; `change` is the chance that a part of it becomes another one. */
export function rewritten(formula: Formula, roll: () => number, change: number): Formula {
  const of = (part: Formula) => rewritten(part, roll, change)
  switch (formula.kind) {
    case 'all':
    case 'any': {
      const parts = formula.parts.map(of)
      if (roll() < 0.5) return { kind: formula.kind, parts: parts.reverse() }
      const kind = formula.kind === 'all' ? 'any' : 'all'
      return { kind: 'not', part: { kind, parts: parts.map((part): Formula => ({ kind: 'not', part })) } }
    }
    case 'not':
      return { kind: 'not', part: of(formula.part) }
    case 'related': {
      const part = of(formula.part)
      const { quantifier } = formula
      if (quantifier === 'some') return { kind: 'not', part: { ...formula, quantifier: 'none', part } }
      return quantifier === 'none'
        ? { kind: 'not', part: { ...formula, quantifier: 'some', part } }
        : { ...formula, part }
    }
    case 'compare': {
      if (roll() < change) return { ...formula, operator: opposites[formula.operator] ?? 'not' } as Formula
      const isOrder = formula.operator === 'lt' || formula.operator === 'gte'
      if (!isOrder) return formula
      return { kind: 'not', part: { ...formula, operator: formula.operator === 'lt' ? 'gte' : 'lt' } }
    }
    default:
      return formula
  }
}

const opposites: Readonly<Record<string, string>> = { not: 'equals', in: 'notIn', notIn: 'in' }

const pick = <T>(roll: () => number, list: readonly T[]): T => list[Math.floor(roll() * list.length)] as T

function randomFormula(model: string, roll: () => number, depth: number): Formula {
  const kind = roll()
  if (depth > 0 && kind < 0.15)
    return both(randomFormula(model, roll, depth - 1), randomFormula(model, roll, depth - 1))
  if (depth > 0 && kind < 0.3)
    return either(randomFormula(model, roll, depth - 1), randomFormula(model, roll, depth - 1))
  if (depth > 0 && kind < 0.4) return negated(randomFormula(model, roll, depth - 1))
  if (depth > 0 && kind < 0.7) return randomRelation(model, roll, depth)
  return randomComparison(model, roll)
}

function randomRelation(model: string, roll: () => number, depth: number): Formula {
  if (model === 'Person' && roll() < 0.5) {
    if (roll() < 0.2) return { kind: 'absent', relation: 'team' }
    return { kind: 'related', relation: 'team', quantifier: 'is', part: randomFormula('Team', roll, depth - 1) }
  }
  const [relation, target] = (
    { Person: ['tags', 'Tag'], Team: ['members', 'Person'], Tag: ['people', 'Person'] } as const
  )[model as 'Person' | 'Team' | 'Tag']
  const quantifier = pick(roll, ['some', 'every', 'none'] as const)
  return { kind: 'related', relation, quantifier, part: randomFormula(target, roll, depth - 1) }
}

function randomComparison(model: string, roll: () => number): Formula {
  const compare = (column: string, operator: string, value: unknown): Formula =>
    ({ kind: 'compare', column, operator, value, mode: null }) as Formula
  if (model === 'Team')
    return roll() < 0.7
      ? compare('isOpen', 'equals', { value: roll() < 0.5 })
      : compare('id', 'equals', { value: 1 + Math.floor(roll() * 2) })
  if (model === 'Tag')
    return roll() < 0.6
      ? compare('name', pick(roll, ['equals', 'not']), { value: pick(roll, ['a', 'b']) })
      : compare('name', pick(roll, ['contains', 'startsWith']), { value: pick(roll, ['a', 'b']) })
  const kind = roll()
  if (kind < 0.25) return compare('id', pick(roll, ['equals', 'not']), { claim: 'id' })
  if (kind < 0.35) return compare('rank', pick(roll, ['equals', 'not']), { value: null })
  if (kind < 0.5) return compare('rank', pick(roll, ['in', 'notIn']), roll() < 0.2 ? [] : [{ value: 1 }, { value: 2 }])
  if (kind < 0.6) return compare('teamId', pick(roll, ['equals', 'not', 'gt']), { value: 1 })
  return compare('rank', pick(roll, ['equals', 'not', 'lt', 'lte', 'gt', 'gte']), { value: pick(roll, [1, 2]) })
}
