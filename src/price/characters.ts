import { memo } from '../model/memo.ts'
import type { ColumnMeta, ModelMeta } from '../model/meta.ts'
import type { ResourceSchema, SchemaRegistry } from '../schema/resource-schema.ts'
import { describeRules } from '../validation/request/describe-rules.ts'
import type { EndOf } from './sizes.ts'

/** Types with the rules of their attributes. */
export interface DescribedTypes extends Rules {
  readonly schemas: SchemaRegistry
}

type Rules = Parameters<typeof describeRules>[0]

/** How long texts may be: as their type says, or else the rule of their attribute. */
export const endsFor = memo((server: DescribedTypes): EndOf => {
  const ends = memo((schema: ResourceSchema) => endsOf(schema, server))
  return (model: ModelMeta, column: ColumnMeta) => {
    const [type = '', size] = column.native ?? []
    if (/char$/i.test(type) && Number(size) > 0) return Number(size)
    const schema = server.schemas.byModel.get(model.name)
    return (schema && ends(schema).get(column.name)) ?? null
  }
})

function endsOf(schema: ResourceSchema, server: Rules): ReadonlyMap<string, number> {
  const described = describeRules(server, { kind: 'create', schema })
  const ends = new Map<string, number>()
  for (const { name, column } of schema.attributes.values()) {
    const rule = described?.rules.fields.get(name)?.describe()
    if (!rule || !column || !('tests' in rule)) continue
    const max = rule.tests.find(({ name: test }) => test === 'max' || test === 'length')?.params
    const end = max?.max ?? max?.length
    if (typeof end === 'number') ends.set(column.name, end)
  }
  return ends
}
