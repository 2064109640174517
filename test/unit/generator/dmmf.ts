import type { DMMF } from '@prisma/generator-helper'

/** A required String field, as Prisma describes one. */
export const field = (name: string, over: Partial<DMMF.Field> = {}): DMMF.Field => ({
  kind: 'scalar',
  name,
  type: 'String',
  isRequired: true,
  isList: false,
  isUnique: false,
  isId: false,
  isReadOnly: false,
  hasDefaultValue: false,
  ...over,
})

export const model = (name: string, fields: DMMF.Field[], over: Partial<DMMF.Model> = {}): DMMF.Model => ({
  name,
  dbName: null,
  schema: null,
  fields,
  uniqueFields: [],
  uniqueIndexes: [],
  primaryKey: null,
  ...over,
})

export const datamodel = (models: DMMF.Model[], enums: DMMF.DatamodelEnum[] = []): DMMF.Datamodel => ({
  models,
  enums,
  types: [],
  indexes: [],
})

/** A whole document. Every model can be created, updated and deleted. */
export function dmmfOf(models: DMMF.Model[]): DMMF.Document {
  const modelOperations = models.map(({ name }) => ({
    model: name,
    plural: name,
    createOne: `createOne${name}`,
    updateOne: `updateOne${name}`,
    deleteOne: `deleteOne${name}`,
  }))
  return {
    datamodel: datamodel(models),
    schema: {
      inputObjectTypes: {},
      outputObjectTypes: { model: [], prisma: [] },
      enumTypes: { prisma: [] },
      fieldRefTypes: {},
    },
    mappings: { modelOperations, otherOperations: { read: [], write: [] } },
  }
}
