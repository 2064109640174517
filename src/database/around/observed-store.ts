import type { ObservedRead, Observer } from '../../request/observer.ts'
import { lookUpAsRows, type Plan } from '../reader.ts'
import type { Store } from '../store.ts'
import { wrapStore } from '../wrap.ts'

/** The store of a request that is observed: each read and each write is a stage. */
export const observedStore = (store: Store, observer: Observer): Store =>
  wrapStore(store, {
    read: (plan, read) =>
      observer.stage(
        'read',
        () => (observer.aroundRead ? observer.aroundRead(observedRead(plan), read) : read()),
        plan.model,
      ),
    write: (write, model) => observer.stage('write', write, model),
  })

function observedRead(plan: Plan): ObservedRead {
  const { kind, model } = plan
  switch (kind) {
    case 'rows': {
      const { where, order, skip, take } = plan
      return { operation: 'rows', model, where, order, skip, take }
    }
    case 'lookUp':
      return observedRead(lookUpAsRows(plan))
    case 'perParent':
      return { operation: 'rows', model, where: plan.where, order: plan.order, takePerParent: plan.take }
    case 'joined':
      return { operation: 'joined', model, where: plan.where, order: plan.order, through: plan.through.relation.name }
    case 'count':
    case 'countBy':
    case 'countThrough':
    case 'groups':
      return { operation: kind, model, where: plan.where }
    default:
      return plan satisfies never
  }
}
