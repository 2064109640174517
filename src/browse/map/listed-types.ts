import type { ResourceSchema } from '../../schema/resource-schema.ts'
import type { VisibleApi } from '../data/visible-api.ts'

/** The types that the caller may list, as they are shown to the caller. */
export const listedTypes = ({ schemas, audience }: VisibleApi): readonly ResourceSchema[] =>
  [...schemas.byType.values()].filter(({ type }) => audience.has(`${type}.viewAny`))
