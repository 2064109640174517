import type { Page } from './paginator.ts'

/** How the meta of a page is spelled. */
export interface MetaStyle {
  readonly memberCase: 'camel' | 'snake' | 'dash'
  /** The member of the top-level `meta` that the page's meta is put under. */
  readonly key: string
  readonly isNested: boolean
  readonly isShown: boolean
}

export const defaultMetaStyle: MetaStyle = { memberCase: 'camel', key: 'page', isNested: true, isShown: true }

/** In: members named in camel case. Out: what goes into the document's `meta`, or null for nothing. */
export function toMeta(members: Readonly<Record<string, unknown>>, style: MetaStyle): Page['meta'] {
  if (!style.isShown) return null
  const named = Object.fromEntries(Object.entries(members).map(([name, value]) => [memberName(name, style), value]))
  return style.isNested ? { [style.key]: named } : named
}

function memberName(name: string, { memberCase }: MetaStyle): string {
  if (memberCase === 'camel') return name
  const separator = memberCase === 'snake' ? '_' : '-'
  return name.replace(/[A-Z]/g, (letter) => separator + letter.toLowerCase())
}
