const collection = { get: 'viewAny', post: 'create' }
const resource = { get: 'view', patch: 'update', delete: 'delete' }
const related = { get: 'viewRelated' }
const relationship = { get: 'viewRelationship', patch: 'updateRelationship', post: 'attach', delete: 'detach' }

const shapes: readonly (readonly [path: RegExp, kinds: Readonly<Record<string, string>>])[] = [
  [/^\/([^/]+)$/, collection],
  [/^\/([^/]+)\/-stats$/, { get: 'viewStats' }],
  [/^\/([^/]+)\/\{id\}$/, resource],
  [/^\/([^/]+)\/\{id\}\/([^/]+)$/, related],
  [/^\/([^/]+)\/\{id\}\/relationships\/([^/]+)$/, relationship],
]

/**
 * What a method and a path below the server's own stand for, `posts.author.viewRelated`, whatever the document calls the
 * operation: documents of other versions have other names.
 */
export function operationIdOf(method: string, path: string): string {
  const [, type, action] = /^\/([^/]+)(?:\/\{id\})?\/-actions\/([^/]+)$/.exec(path) ?? []
  if (type !== undefined) return `${type}.-actions.${action}`
  for (const [shape, kinds] of shapes) {
    const names = shape.exec(path)?.slice(1)
    if (names && kinds[method]) return [...names, kinds[method]].join('.')
  }
  return `-.${path.slice(1) || 'root'}`
}
