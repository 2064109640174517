import { operatorsOf } from '@prismapi/jsonapi/query/filter-operators'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { answerTo } from './answer-to.ts'
import { hasLabel } from './page-data.ts'
import type { Caller, VisibleApi } from './page-request.ts'
import { labelIn } from './showing.ts'

/** The URL that searches a type's resources by label, without the text; null if they cannot be searched. */
export function searchUrl({ basePath, audience, resources }: VisibleApi, schema: ResourceSchema): string | null {
  const { type, label } = schema
  const attribute = label === null ? undefined : schema.attributes.get(label)
  if (!attribute || !hasLabel(schema) || !audience.has(`${type}.viewAny`)) return null
  const operators = operatorsOf(attribute, resources.provider)
  const operator = (['icontains', 'contains'] as const).find((each) => operators.includes(each))
  return operator === undefined
    ? null
    : `${basePath}/${type}?fields[${type}]=${label}&filter[${attribute.name}][${operator}]=`
}

/** The first resources of a type, by their labels. */
export async function readOptions(
  { ctx, api }: Caller,
  schema: ResourceSchema,
): Promise<readonly { readonly id: string; readonly label: string }[]> {
  const own = ctx.server.schemas.byType.get(schema.type)
  if (!own || !hasLabel(schema) || !api.audience.has(`${schema.type}.viewAny`)) return []
  const query = new URLSearchParams({ include: '', [`fields[${schema.type}]`]: schema.label })
  const document = await answerTo(ctx, { kind: 'viewAny', schema: own }, query)
  const data = document && Array.isArray(document.data) ? document.data : []
  return data.flatMap((resource) => {
    const label = labelOf({ ctx, api }, resource)
    return label === null ? [] : [{ id: resource.id, label }]
  })
}

/** What the API tells the caller that a resource is called; null where it does not tell. */
export async function labelOfOne({ ctx, api }: Caller, schema: ResourceSchema, id: string): Promise<string | null> {
  const own = ctx.server.schemas.byType.get(schema.type)
  if (!own || !hasLabel(schema)) return null
  const query = new URLSearchParams({ include: '', [`fields[${schema.type}]`]: schema.label })
  const document = await answerTo(ctx, { kind: 'view', schema: own, id }, query)
  const { data } = document ?? {}
  return data && !Array.isArray(data) ? labelOf({ ctx, api }, data as ShownResource) : null
}

interface ShownResource {
  readonly type: string
  readonly id: string
  readonly attributes?: Readonly<Record<string, unknown>>
}

const labelOf = ({ ctx, api }: Caller, resource: ShownResource): string | null =>
  labelIn(
    {
      server: ctx.server,
      api,
      beside: { attributesOf: () => resource.attributes ?? null, relationshipOf: () => null },
    },
    resource,
  )
