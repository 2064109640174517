import type { PageOptions } from '@prismapi/core/server/server'
import { named as toldName } from '@prismapi/jsonapi/document/text'
import type { ResourceSchema, SchemaRegistry } from '@prismapi/jsonapi/schema/resource-schema'
import { map as words } from '../texts/reading.ts'
import type { Words } from '../texts/words.ts'

/** Types that stand together on the start page. */
export interface TypeGroup {
  readonly title: Words
  readonly schemas: readonly ResourceSchema[]
}

/** The groups that the server declares, as far as the caller is told of their types; null where it declares none. */
export function declaredGroups({ byType }: SchemaRegistry, { groups }: PageOptions): readonly TypeGroup[] | null {
  if (!groups) return null
  const named = new Set(Object.values(groups).flat())
  const declared = Object.entries(groups).map(
    ([title, types]): TypeGroup => ({
      title: toldName(title),
      schemas: types.flatMap((type) => byType.get(type) ?? []),
    }),
  )
  const others = [...byType.values()].filter(({ type }) => !named.has(type))
  return [...declared, { title: words.others, schemas: others }].filter(({ schemas }) => schemas.length > 0)
}

/** The types by their first letter, and in the order of the alphabet. */
export function lettered({ byType }: SchemaRegistry): readonly TypeGroup[] {
  const groups = new Map<string, ResourceSchema[]>()
  for (const type of [...byType.keys()].sort()) {
    const letter = type.charAt(0).toUpperCase()
    groups.set(letter, [...(groups.get(letter) ?? []), byType.get(type) as ResourceSchema])
  }
  return [...groups].map(([title, schemas]) => ({ title, schemas }))
}
