import type { ModelMeta } from '../../model/meta.ts'
import type { Relation } from '../../schema/relation-kinds.ts'
import type { KeyRules, Said } from './row-rules.ts'

/** The relations of the model whose key other types write, where they write relations of their own. */
export function keysFrom(model: ModelMeta, said: Said): ReadonlyMap<string, KeyRules> {
  const keys = new Map<string, KeyRules>()
  for (const server of said.servers)
    for (const schema of server.schemas.byModel.values())
      for (const relation of schema.relations.values()) {
        const via = keyBehind(relation, schema.model, model)
        if (via === null || keys.has(via)) continue
        const parent = said.relationWrites(schema.model.name, relation, { isUnasked: true })
        const isLeft = relation.kind === 'hasMany' && relation.deleteOnDetach
        const removes = isLeft ? said.relationWrites(schema.model.name, relation) : []
        const isPivot = relation.kind === 'manyThrough'
        // What asks the policy of the row itself is an update, an insert or a removal like any other.
        if (parent.length === 0 && removes.length === 0) continue
        keys.set(via, { parent, makes: isPivot, removes: isPivot ? parent : removes })
      }
  return keys
}

/** The relation of the model that leads back along a relation of the parent; null where that one writes no key of it. */
function keyBehind(relation: Relation, parent: ModelMeta, model: ModelMeta): string | null {
  if (relation.kind === 'manyThrough') return relation.pivot.model === model.name ? relation.pivot.from.name : null
  if ((relation.kind !== 'hasMany' && relation.kind !== 'hasOne') || relation.model !== model.name) return null
  return parent.relations[relation.field]?.inverse ?? null
}
