import { joinTable } from '../../database/join-table.ts'
import { quotedTable } from '../../database/quoted.ts'
import type { ModelMeta } from '../../model/meta.ts'
import { eitherRuled } from './callers.ts'
import type { JoinEnd, JoinRules, Said } from './row-rules.ts'

/** The join tables between models that are served. */
export function joinsOf(served: readonly ModelMeta[], said: Said): readonly JoinRules[] {
  const models = said.servers[0]?.resources.models ?? {}
  const joins = new Map<string, JoinRules>()
  for (const model of served)
    for (const relation of Object.values(model.relations)) {
      const table = joinTable(model, relation, models)
      if (!table || !relation.join) continue
      const name = quotedTable(table)
      const end: JoinEnd = { model, column: relation.join.own, parent: writesOfField(model, relation.name, said) }
      joins.set(name, { ...table, ends: [...(joins.get(name)?.ends ?? []), end] })
    }
  return [...joins.values()]
}

const writesOfField = (model: ModelMeta, field: string, said: Said) =>
  eitherRuled(
    ...said.servers.flatMap(({ schemas }) =>
      [...(schemas.byModel.get(model.name)?.relations.values() ?? [])]
        .filter((relation) => relation.kind === 'manyToMany' && relation.field === field)
        .map((relation) => said.relationWrites(model.name, relation)),
    ),
  )
