import type { ResourceSchema, SchemaRegistry } from '@prismapi/jsonapi/schema/resource-schema'
import { className, importLine, indented, quoted } from '../source.ts'
import { deletedColumn, ownerColumn, publishedColumn } from './examples.ts'

const imported = ['Server', 'type Serving']

/** A server of all models, with scopes and creation hooks for those that have fitting fields, in comments. */
export function serverTemplate(name: string, types: SchemaRegistry): string {
  const all = [...types.byType.values()]
  return `${importLine(imported)}

/** The API below /api/${name}. */
export default class ${className(name, '', imported)} extends Server {
  override readonly name = ${quoted(name)}
  // What a caller may not view is absent everywhere: from includes, linkage, totals and filters.
  override readonly viewEverywhere = true
  // override readonly version = '1.1'
  // override readonly challenge = 'Bearer'

  override serving(phase: Serving): void {
${indented(all.flatMap(scope).slice(0, 2), '    ')}    const { user } = phase
    if (!user) return
${indented(all.flatMap(ownership).slice(0, 2), '    ')}  }
}
`
}

function scope(type: ResourceSchema): readonly string[] {
  const model = type.model.name
  const deleted = deletedColumn(type)
  const published = publishedColumn(type)
  if (published) return [`// phase.scope('${model}', { ${published}: { lte: new Date() } })`]
  return deleted ? [`// phase.scope('${model}', { ${deleted}: null })`] : []
}

function ownership(type: ResourceSchema): readonly string[] {
  const column = ownerColumn(type)
  if (column === null || !type.operations.has('create')) return []
  return [`// phase.creating('${type.model.name}', ({ ${column} = user.id }) => ({ ${column} }))`]
}
