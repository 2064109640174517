import { namesOfAttribute, namesOfRelation } from '../../auth/field-names.ts'
import type { ResourceSchema } from '../../schema/resource-schema.ts'

/** What documents call a column or a relation of the model. */
export const namesOfField = ({ attributes, relations }: ResourceSchema, field: string): readonly string[] => [
  ...[...attributes.values()].flatMap((each) => (namesOfAttribute(each).includes(field) ? [each.name] : [])),
  ...[...relations.values()].flatMap((each) => (namesOfRelation(each).includes(field) ? [each.name] : [])),
]
