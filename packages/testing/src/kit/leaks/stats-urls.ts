import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { functionsOf, instantParts, type Statistics } from '@prismapi/jsonapi/schema/statistics'

/** A collection with all figures of one attribute at a time, beside the number of its resources. */
export function figureUrls({ statistics }: ResourceSchema, url: string): readonly string[] {
  if (!statistics) return []
  const figures = [...statistics.aggregated.values()].map(
    (attribute) => `${countOf(url)}&withStats[${attribute.name}]=${functionsOf(attribute).join()}`,
  )
  return [countOf(url), ...figures]
}

const countOf = (url: string): string => `${url}?withStats[*]=count`

/** The groups of a type by each key; of an instant, by each part of it. */
export function groupedUrls({ statistics, type }: ResourceSchema): readonly string[] {
  return statistics ? groupKeys(statistics).map((key) => `/${type}/-stats?groupBy=${key}`) : []
}

/** The same groups, with all figures of each attribute. */
export function groupedFigureUrls(schema: ResourceSchema): readonly string[] {
  const aggregated = [...(schema.statistics?.aggregated.values() ?? [])]
  return groupedUrls(schema).flatMap((url) =>
    aggregated.map((attribute) => `${url}&withStats[${attribute.name}]=${functionsOf(attribute).join()}`),
  )
}

/** What rows can be grouped by: of an instant, its parts. */
export const groupKeys = ({ grouped }: Statistics): readonly string[] =>
  [...grouped].flatMap(([name, field]) =>
    'serialize' in field && (field.kind === 'datetime' || field.kind === 'date')
      ? instantParts.map((part) => `${name}:${part}`)
      : [name],
  )
