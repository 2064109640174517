import type { DMMF } from '@prisma/generator-helper'

export const origin = { schema: '../schema.prisma', digest: 'zgm4' }
export const client = { specifier: './client/client.ts', searchesTexts: false }

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
