import { pageParameters } from '../../openapi/page-parameters.ts'
import type { ResourceSchema } from '../../schema/resource-schema.ts'

/** The parameter that asks for so many resources of a type, or for as many as its pages may have; null where it has no pages of a size. */
export function firstPage(schema: ResourceSchema, size: number): Readonly<Record<string, string>> | null {
  const found = Object.values(pageParameters(schema)).find(
    ({ name }) => name === 'page[size]' || name === 'page[limit]',
  )
  const { maximum = size } = (found?.schema ?? {}) as { readonly maximum?: number }
  return found ? { [found.name as string]: String(Math.min(size, maximum)) } : null
}
