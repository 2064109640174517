import type { Condition } from '../../src/condition/condition.ts'
import { readCondition } from '../../src/condition/parse.ts'
import { prismaWhere } from '../../src/condition/prisma.ts'
import type { ModelMeta, Resources } from '../../src/model/meta.ts'
import type { Where } from '../../src/model/where.ts'

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
