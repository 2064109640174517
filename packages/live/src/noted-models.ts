import type { Plan } from '@prismapi/core/database/reader'
import type { Store } from '@prismapi/core/database/store'
import { wrapStore } from '@prismapi/core/database/wrap'
import type { Condition } from '@prismapi/jsonapi/condition/condition'
import type { FieldAccess, FieldsOf } from '@prismapi/jsonapi/condition/scopes'
import type { RelationMeta } from '@prismapi/jsonapi/model/meta'

/** Notes which models a request reads, and which its conditions look at: what it answers depends on their rows. */
export class NotedModels {
  /** The models whose rows are read. */
  readonly readModels = new Set<string>()
  /** The models and join tables that rows are looked for by. */
  readonly conditionModels = new Set<string>()
  /** Rows are compared with a moment, which may be that of the request. */
  dependsOnTime = false
  /** Those whose conditions are noted. */
  private readonly fields = new WeakSet<FieldAccess>()

  /** The store, which tells what is read. */
  noting(store: Store): Store {
    return wrapStore(store, {
      read: (plan, read) => {
        this.notePlan(plan)
        return read()
      },
    })
  }

  /** Notes the field rules too: they may be judged in memory, and then no read shows them. */
  notingFields(seen: FieldsOf): FieldsOf {
    return (model) => {
      const access = seen(model)
      if (access && !this.fields.has(access)) {
        this.fields.add(access)
        for (const condition of access.fields.values()) this.note(condition)
      }
      return access
    }
  }

  private notePlan(plan: Plan): void {
    this.readModels.add(plan.model)
    if (plan.kind === 'lookUp') this.note(plan.rest)
    else this.note(plan.where)
    // Its parents were noted when they were read.
    if (plan.kind === 'joined' && plan.through.relation.join) this.conditionModels.add(plan.through.relation.join.table)
    if (plan.kind === 'countThrough') {
      this.noteRelation(plan.relation)
      this.note(plan.counted)
    }
  }

  private note(condition: Condition): void {
    switch (condition.kind) {
      case 'all':
      case 'any':
        for (const each of condition.conditions) this.note(each)
        break
      case 'not':
        this.note(condition.condition)
        break
      case 'related':
        this.noteRelation(condition.relation)
        this.note(condition.condition)
        break
      case 'absent':
        this.noteRelation(condition.relation)
        break
      case 'compare':
        this.dependsOnTime ||= condition.value instanceof Date
        break
      case 'json':
      case 'constant':
        break
      default:
        condition satisfies never
    }
  }

  private noteRelation({ model, join }: RelationMeta): void {
    this.conditionModels.add(model)
    if (join) this.conditionModels.add(join.table)
  }
}
