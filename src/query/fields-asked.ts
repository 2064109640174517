import type { Condition } from '../condition/condition.ts'
import type { FieldsOf } from '../condition/field-access.ts'
import type { SeenFields } from './check-context.ts'

/** The fields that a check asked about: what it came to holds for all who see them of every row. */
export type FieldsAsked = readonly (readonly [model: string, kind: 'fields' | 'stored', name: string])[]

/** What a caller sees of each model, for one check of a query: notes what is asked. */
export class NotedFields {
  /** Was a field hidden: then the check came to something that is this caller's alone. */
  isMasked = false
  private readonly noted = new Map<string, FieldsAsked[number]>()
  private readonly given: FieldsOf

  constructor(given: FieldsOf) {
    this.given = given
  }

  readonly seen = (model: string): SeenFields => ({
    fields: { get: (name) => this.look(model, 'fields', name) },
    stored: { get: (name) => this.look(model, 'stored', name) },
  })

  get fields(): FieldsAsked {
    return [...this.noted.values()]
  }

  private look(...[model, kind, name]: FieldsAsked[number]): Condition | undefined {
    this.noted.set(`${model} ${kind} ${name}`, [model, kind, name])
    const condition = this.given(model)?.[kind].get(name)
    this.isMasked ||= condition !== undefined
    return condition
  }
}

/** Does a caller see all of these fields, of every row. */
export const seesAll = (fields: FieldsAsked, seen: FieldsOf): boolean =>
  fields.every(([model, kind, name]) => !seen(model)?.[kind].has(name))
