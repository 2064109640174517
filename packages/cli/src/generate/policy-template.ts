import { relationActions } from '@prismapi/core/auth/actions'
import { isToMany, type Relation } from '@prismapi/jsonapi/schema/relation-kinds'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { classLine, className, importLine, indented, listed, methodLine, typeArguments } from '../source.ts'
import { ownerColumn } from './examples.ts'

/** A policy that denies everything, with the actions of the type on all servers to be taken out of their comments. */
export function policyTemplate(
  types: readonly [ResourceSchema, ...ResourceSchema[]],
  where = 'on every server',
): string {
  const type = onAllServers(types)
  const model = type.model.name
  const extra = [...type.relations.keys(), ...type.actions.keys()].filter((name) => !type.model.relations[name])
  const writes = writeLines(type)
  const imported = ['Policy', 'type Rules', ...(writes.length > 0 ? ['type User'] : [])]
  const rules = `{ can }: Rules<${typeArguments(model, extra)}>`
  return `${importLine(imported)}

/** Who may do what with ${type.type}, ${where}. What no rule names is denied: at first, everything. */
${classLine({ name: className(model, 'Policy', imported), base: 'Policy', model, extra })}
${methodLine('override abilities', writes.length > 0 ? [rules, 'user: User | null'] : [rules])}
${indented(['// Everybody, guests too. All of these are `this.reads`.', ...canLines(readLines(type)), ...fieldLines(type)], '    ')}${
  writes.length > 0 ? indented(['if (!user) return', ...signedIn(type, writes)], '    ') : ''
}  }
}
`
}

function onAllServers(types: readonly [ResourceSchema, ...ResourceSchema[]]): ResourceSchema {
  const relations = new Map(types.flatMap((type) => [...type.relations]))
  const actions = new Map(types.flatMap((type) => [...type.actions]))
  const deletedAt = types.find((type) => type.deletedAt !== null)?.deletedAt ?? null
  return { ...types[0], relations, actions, deletedAt }
}

const signedIn = (type: ResourceSchema, writes: readonly string[]): readonly string[] => [
  '// Every signed-in user. `this.writes` stands for update, delete and those of the relations.',
  ...canLines(writes),
  ...ownRows(type),
]

const canLines = (actions: readonly string[]): readonly string[] => [
  'can([',
  ...actions.map((action) => `  // ${action},`),
  '])',
]

const readLines = ({ relations }: ResourceSchema): readonly string[] => [
  listed(['viewAny', 'view']),
  ...[...relations.keys()].map((name) => listed(relationActions(name, false).slice(0, 1))),
]

/** What rules about fields look like: they name a field as the Prisma schema does. */
function fieldLines({ attributes }: ResourceSchema): readonly string[] {
  const column = [...attributes.values()].map((each) => each.column).find((each) => each !== null)
  return column === undefined
    ? []
    : ['// Rules may name fields, so that no others are seen or changed:', `// can('view', ['${column.name}'])`]
}

function writeLines(type: ResourceSchema): readonly string[] {
  const { operations, relations, actions, deletedAt } = type
  const changeable = operations.has('update') ? [...relations.values()].filter(({ readOnly }) => !readOnly) : []
  return [
    ...[...operations].map((operation) => listed([operation])),
    ...changeable.map(changes),
    ...[...actions.keys()].map((action) => listed([action])),
    ...(deletedAt === null ? [] : [listed(['viewTrashed', 'forceDelete'])]),
  ]
}

const changes = (relation: Relation): string => listed(relationActions(relation.name, isToMany(relation)).slice(1))

function ownRows(type: ResourceSchema): readonly string[] {
  const column = ownerColumn(type)
  const actions = ['update', 'delete'].filter((action) => type.operations.has(action as 'update'))
  if (column === null || actions.length === 0) return []
  return ['// Their own rows only.', `// can([${listed(actions)}], { ${column}: user.id })`]
}
