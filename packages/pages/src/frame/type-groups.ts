import type { PageOptions } from '@prismapi/core/server/server'
import { named as toldName } from '@prismapi/jsonapi/document/text'
import type { ResourceSchema, SchemaRegistry } from '@prismapi/jsonapi/schema/resource-schema'
import { type Content, html } from '../html/html.ts'
import { map as words } from '../texts/reading.ts'
import { titleOf, type Words } from '../texts/words.ts'

/** Types that stand together on the start page. */
export interface TypeGroup {
  readonly title: Words
  readonly schemas: readonly ResourceSchema[]
}

/**
 * The groups that the server and the schema classes declare, as far as the caller is told of their types; null where
 * there are none. What the server says of a type counts.
 */
export function declaredGroups({ byType }: SchemaRegistry, { groups = {} }: PageOptions): readonly TypeGroup[] | null {
  const all = new Map(Object.entries(groups).map(([title, types]) => [title, [...types]]))
  const named = new Set(Object.values(groups).flat())
  for (const { type, group } of byType.values())
    if (group !== null && !named.has(type)) all.set(group, [...(all.get(group) ?? []), type])
  if (all.size === 0) return null
  const told = (types: readonly string[]) => types.flatMap((type) => byType.get(type) ?? [])
  const declared = [...all].map(([title, types]): TypeGroup => ({ title: toldName(title), schemas: told(types) }))
  const grouped = new Set([...all.values()].flat())
  const others = [...byType.values()].filter(({ type }) => !grouped.has(type))
  return [...declared, { title: words.others, schemas: others }].filter(({ schemas }) => schemas.length > 0)
}

/** The name of a type, with its sign before it. */
export const typeTitle = ({ type, icon }: ResourceSchema): Content => [
  icon !== null &&
    (icon.startsWith('/')
      ? html`<img class="glyph" src="${icon}" alt="">`
      : html`<span class="glyph" aria-hidden="true">${icon}</span>`),
  titleOf(type),
]

/** The types by their first letter, and in the order of the alphabet. */
export function lettered({ byType }: SchemaRegistry): readonly TypeGroup[] {
  const groups = new Map<string, ResourceSchema[]>()
  for (const type of [...byType.keys()].sort()) {
    const letter = type.charAt(0).toUpperCase()
    groups.set(letter, [...(groups.get(letter) ?? []), byType.get(type) as ResourceSchema])
  }
  return [...groups].map(([title, schemas]) => ({ title, schemas }))
}
