import type { Price } from '../../price/price.ts'
import type { ResourceSchema } from '../../schema/resource-schema.ts'
import type { VisibleApi } from '../data/visible-api.ts'

/** The types that the caller may list, as they are shown to the caller. */
export const listedTypes = ({ schemas, audience }: VisibleApi): readonly ResourceSchema[] =>
  [...schemas.byType.values()].filter(({ type }) => audience.has(`${type}.viewAny`))

/** Pays for a question; false where it costs more than is left. */
export type Pays = (price: Price) => boolean

/** So many points for all questions together. */
export function purse(points: number): Pays {
  let left = points
  return (price) => {
    if (price.points > left) return false
    left -= price.points
    return true
  }
}
