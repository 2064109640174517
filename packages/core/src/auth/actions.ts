import { memo } from '@prismapi/jsonapi/model/memo'
import type { ModelName, RelationOf, ToManyOf } from '@prismapi/jsonapi/model/register'
import { isToMany } from '@prismapi/jsonapi/schema/relation-kinds'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'

/** Actions on a type as a whole: there is no row yet, so their rules have no condition. */
export type TypeAction = 'viewAny' | 'create' | 'viewTrashed'

/** Actions that rules may allow or deny field by field. */
export type FieldAction = 'view' | 'create' | 'update'

const fieldActions: ReadonlySet<string> = new Set<FieldAction>(['view', 'create', 'update'])
export const isFieldAction = (action: string): action is FieldAction => fieldActions.has(action)

/** Actions on one row of the model. `Extra` names relations and custom actions, which only a schema class declares. */
export type RowAction<M extends ModelName, Extra extends string = never> =
  | 'view'
  | 'update'
  | 'delete'
  | 'forceDelete'
  | Extra
  | `${'view' | 'update'}${Capitalize<RelationOf<M> | Extra>}`
  | `${'attach' | 'detach'}${Capitalize<ToManyOf<M> | Extra>}`

/**
 * All reads or all writes of a row, as `this.rowReads` and `this.writes` of a policy. Which relations these cover
 * depends on the server's schema.
 */
export type RowGroup = '*rowReads' | '*writes'
/** Groups of actions: those of rows, and `this.reads` of a policy, which has `viewAny`, too. */
export type ActionGroup = RowGroup | '*reads'

const suffix = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

const relationReads = (name: string): string[] => [`view${suffix(name)}`]
const relationWrites = (name: string, many: boolean): string[] =>
  (many ? ['update', 'attach', 'detach'] : ['update']).map((verb) => `${verb}${suffix(name)}`)

/** The actions that a relation brings: `viewTags`, `updateTags`, `attachTags`, `detachTags`. */
export const relationActions = (name: string, many: boolean): readonly string[] => [
  ...relationReads(name),
  ...relationWrites(name, many),
]

/** The actions that no relation brings. */
export const plainActions: readonly string[] = [
  'viewAny',
  'create',
  'view',
  'update',
  'delete',
  'forceDelete',
  'viewTrashed',
]

const typeActions: ReadonlySet<string> = new Set<TypeAction>(['viewAny', 'create', 'viewTrashed'])
export const isTypeAction = (action: string): boolean => typeActions.has(action)

/** All that a policy may be asked about a type. */
export const actionsOfType = memo((schema: ResourceSchema): readonly string[] => [
  ...plainActions,
  ...[...schema.relations.values()].flatMap((relation) => relationActions(relation.name, isToMany(relation))),
  ...schema.actions.keys(),
])

type Groups = Readonly<Record<ActionGroup, readonly string[]>>

export const isGroup = (action: string): boolean => action.startsWith('*')

/** One action by itself, or all that a group stands for. */
export function expandAction(schema: ResourceSchema, action: string): readonly string[] {
  if (!isGroup(action)) return [action]
  const members = groupsOf(schema)[action as ActionGroup]
  if (!members) throw new Error(`there is no group "${action}". Use this.reads, this.rowReads or this.writes.`)
  return members
}

const groupsOf = memo((schema: ResourceSchema): Groups => {
  const relations = [...schema.relations.values()]
  const rowReads = ['view', ...relations.flatMap((relation) => relationReads(relation.name))]
  const writes = relations.flatMap((relation) => relationWrites(relation.name, isToMany(relation)))
  return { '*reads': ['viewAny', ...rowReads], '*rowReads': rowReads, '*writes': ['update', 'delete', ...writes] }
})
