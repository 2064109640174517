import type { ModelMeta } from '../../model/meta.ts'
import { eitherRuled } from './callers.ts'
import type { JoinEnd, JoinRules, Said } from './row-rules.ts'

/** The join tables between models that are served. */
export function joinsOf(models: readonly ModelMeta[], said: Said): readonly JoinRules[] {
  const found = new Map<string, { dbSchema: string | null; ends: JoinEnd[] }>()
  for (const model of models)
    for (const { name, join } of Object.values(model.relations)) {
      if (!join) continue
      const known = found.get(join.table) ?? { dbSchema: null, ends: [] }
      // Prisma puts the table beside that of the model whose name comes first.
      const dbSchema = join.own === 'A' ? model.dbSchema : known.dbSchema
      const end = { model, column: join.own, parent: writesOfField(model, name, said) }
      found.set(join.table, { dbSchema, ends: [...known.ends, end] })
    }
  return [...found].map(([table, { dbSchema, ends }]) => ({ table, dbSchema, ends }))
}

const writesOfField = (model: ModelMeta, field: string, said: Said) =>
  eitherRuled(
    ...said.servers.flatMap(({ schemas }) =>
      [...(schemas.byModel.get(model.name)?.relations.values() ?? [])]
        .filter((relation) => relation.kind === 'manyToMany' && relation.field === field)
        .map((relation) => said.relationWrites(model.name, relation)),
    ),
  )
