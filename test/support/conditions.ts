import type { Condition } from '@prismapi/jsonapi/condition/condition'
import { readCondition } from '@prismapi/jsonapi/condition/parse'
import { prismaWhere } from '@prismapi/jsonapi/condition/prisma'
import type { ModelMeta, Resources } from '@prismapi/jsonapi/model/meta'
import type { Where } from '@prismapi/jsonapi/model/where'

/** The condition that a `where` of Prisma means. */
export const conditionIn = (where: Where, model: string, { models }: Pick<Resources, 'models'>): Condition =>
  readCondition(where, models[model] as ModelMeta, models)

/** A condition in Prisma's words, where tests look at one. */
export const asWhere = (condition: Condition, model: string, { models }: Pick<Resources, 'models'>): Where =>
  prismaWhere(condition, models[model] as ModelMeta)

/** Conditions of one database, by the model that they are on. */
export const conditionsOf =
  (resources: Pick<Resources, 'models'>) =>
  (model: string, where: Where): Condition =>
    conditionIn(where, model, resources)
