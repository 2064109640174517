import type { ServerFeature } from '@prismapi/core/server/server-feature'
import { FeatureKey } from '@prismapi/jsonapi/request/features'
import { checkDeprecation, type Deprecation } from '@prismapi/jsonapi/schema/deprecation'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { describedDeprecation } from './described-deprecation.ts'

/** What a server says of the end of its parts. */
interface Deprecations {
  /** Null where the server class does not announce its end. */
  readonly ofServer: Deprecation | null
}

export const deprecationKey = new FeatureKey<Deprecations>('deprecation')

/** What will be gone, as far as it is known at boot. */
export const compiledDeprecation: ServerFeature<Deprecations> = {
  key: deprecationKey,
  compile({ name, deprecated }, { registry }) {
    const ofServer = checkDeprecation(`${name}: deprecated`, deprecated)
    return ofServer !== null || [...registry.byType.values()].some(isDeprecating) ? { ofServer } : null
  },
  openapi: ({ ofServer }, { registry }) => describedDeprecation(ofServer, registry),
}

const isDeprecating = ({ deprecation, attributes, relations, filters, sorts, actions }: ResourceSchema): boolean =>
  deprecation !== null ||
  [attributes, relations, filters, sorts, actions].some((parts) =>
    [...parts.values()].some((part) => part.deprecation !== null),
  )
