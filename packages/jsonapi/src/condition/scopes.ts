import type { Condition } from './condition.ts'

/** The global scopes of one request: what may be seen of each model. Models without a scope are absent. */
export type Scopes = ReadonlyMap<string, Condition>

/** Of which rows a caller may see the fields of a model, or write them. A field that is absent it always may. */
export interface FieldAccess {
  /** By the names that documents have. */
  readonly fields: ReadonlyMap<string, Condition>
  /** Of columns and relations, by Prisma's names. */
  readonly stored: ReadonlyMap<string, Condition>
  /** The rules that decide about a field, by its name in documents, the strongest first; for who asks why. */
  ruledBy(field: string): readonly FieldRule[]
}

/** A rule about fields, or about all of them. */
export interface FieldRule {
  /** Which one it is of those that `abilities` declared for this user, from 1 on. */
  readonly rule: number
  readonly effect: 'can' | 'cannot'
  /** Null where it holds for every row. */
  readonly where: Condition | null
  /** What `because()` tells clients. */
  readonly because?: string
}

/** What the caller may see of each model; null where that is every field of every row. */
export type FieldsOf = (model: string) => FieldAccess | null
