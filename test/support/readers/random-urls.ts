import { clausesOf } from '@prismapi/testing/internal/kit/leaks/filters'
import { collectionUrls, memberUrls, resourceUrls } from '@prismapi/testing/internal/kit/leaks/urls'
import { groundsOf, schemasOf, shownRows, type World } from '@prismapi/testing/internal/kit/leaks/world'
import { randomNumbers } from './random-rows.ts'

/** So many URLs that read, each with some of the parameters that others have one of; others for another seed. */
export function randomUrls(world: World, count: number, seed = count): string[] {
  const random = randomNumbers(seed)
  const pick = <T>(items: readonly T[]): T | undefined => items[Math.floor(random() * items.length)]
  const pools = schemasOf(world).map((schema) => poolOf(world, schema))
  return Array.from({ length: count }, () => {
    const { paths, parameters } = pick(pools) as Pool
    const chosen = Array.from({ length: 1 + Math.floor(random() * 4) }, () => pick(parameters) as string)
    return `${pick(paths)}?${distinctKeys(chosen).join('&')}`
  })
}

/** What one type can be asked. */
export interface Pool {
  /** Where resources of one type are listed. */
  readonly paths: readonly string[]
  readonly parameters: readonly string[]
}

type Schema = ReturnType<typeof schemasOf>[number]

export function poolOf(world: World, schema: Schema): Pool {
  const grounds = groundsOf(world)
  const ids = shownRows(world, schema).map(({ id }) => id)
  const urls = [
    ...collectionUrls(grounds, schema),
    ...ids
      .slice(0, 2)
      .flatMap((id) => [...resourceUrls(grounds, schema, id, true), ...memberUrls(grounds, schema, id)]),
  ]
  const filters = [0, 1].flatMap((depth) => clausesOf(grounds, schema, depth))
  const [, ...rest] = ['', ...urls.flatMap((url) => url.split('?')[1] ?? [])]
  const bracketed = filters.flatMap(([key, value]) => [
    `filter${key}=${encodeURIComponent(value)}`,
    `filter[not][0]${key}=${encodeURIComponent(value)}`,
    `filter[or][${key.length % 2}]${key}=${encodeURIComponent(value)}`,
  ])
  const pages = ['page[size]=2', 'page[size]=3&page[number]=2', 'page[size]=1']
  return { paths: [`/${schema.type}`], parameters: [...rest, ...bracketed, ...bracketed, ...pages] }
}

/** A key that comes twice is refused, which both readers agree on too soon. */
export const distinctKeys = (parameters: readonly string[]): readonly string[] => [
  ...new Map(parameters.map((parameter) => [parameter.split('=')[0], parameter])).values(),
]
