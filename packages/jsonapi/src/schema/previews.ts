import type { Attribute, ResourceSchema } from './resource-schema.ts'
import type { AnySchema } from './schema.ts'

/**
 * How a page shows a value: a picture or a file by its URL, a text with Markdown, or Json that is folded.
 *
 * @internal
 */
export type PreviewKind = 'image' | 'file' | 'markdown' | 'json'

const kinds: ReadonlySet<string> = new Set<PreviewKind>(['image', 'file', 'markdown', 'json'])

/** @throws {Error} for an attribute that clients do not see, and for what is no kind of preview. */
export function previewsOf(
  model: string,
  declared: Readonly<Record<string, PreviewKind | undefined>> = {},
  attributes: ReadonlyMap<string, Attribute>,
): ReadonlyMap<string, PreviewKind> {
  const previews = new Map<string, PreviewKind>()
  for (const [name, kind] of Object.entries(declared)) {
    if (kind === undefined) continue
    if (!attributes.has(name))
      throw new Error(
        `preview of ${model}: "${name}" is no attribute that clients see. Remove it, or write one of ${[...attributes.keys()].join(', ')}.`,
      )
    if (!kinds.has(kind))
      throw new Error(`preview of ${model}: "${kind}" shows nothing. Write one of ${[...kinds].join(', ')}.`)
    previews.set(name, kind)
  }
  return previews
}

/** @throws {Error} for a column that clients do not see, and for what is neither a character nor a path. */
export function lookOf(
  model: string,
  { columns, group, icon }: Pick<AnySchema, 'columns' | 'group' | 'icon'>,
  names: readonly string[],
): Pick<ResourceSchema, 'columns' | 'group' | 'icon'> {
  for (const name of columns ?? [])
    if (!names.includes(name))
      throw new Error(
        `columns of ${model}: "${name}" is no field that clients see. Remove it, or write one of ${names.join(', ')}.`,
      )
  if (icon !== undefined && !isPath.test(icon) && [...new Intl.Segmenter().segment(icon)].length !== 1)
    throw new Error(`icon of ${model}: write one character, or the path of a picture such as /icons/post.svg.`)
  return { columns: columns ?? null, group: group ?? null, icon: icon ?? null }
}

const isPath = /^\/(?![/\\])[\x21-\x7e]*$/
