import { badParameter } from '../document/errors.ts'
import { say } from '../document/text.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'
import { type CheckContext, knownAttribute } from './check-context.ts'
import { mapAll } from './failures.ts'
import type { FieldSets } from './query.ts'

/**
 * In: comma lists of fields by type. Out: sets of them. An empty list leaves no field.
 *
 * @throws JsonApiError 400 for every type that the server does not know and every field that a type does not show.
 */
export function checkFields(sent: ReadonlyMap<string, string>, check: CheckContext): FieldSets {
  return new Map(
    mapAll(sent, ([type, list]): [string, ReadonlySet<string>] => {
      const schema = check.registry.byType.get(type)
      if (!schema) throw badParameter(`fields[${type}]`, say`Resource type ${type} is not recognised.`)
      const names = list === '' ? [] : new Set(list.split(','))
      return [type, new Set(mapAll(names, (name) => checkField(schema, name, check)))]
    }),
  )
}

function checkField(schema: ResourceSchema, name: string, check: CheckContext): string {
  const { type, relations } = schema
  const attribute = knownAttribute(schema, name, check)
  if (relations.has(name) || (attribute && !attribute.writeOnly)) return name
  throw badParameter(`fields[${type}]`, say`Sparse field set ${type}.${name} is not allowed.`)
}
