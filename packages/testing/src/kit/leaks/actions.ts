import { modelOfRule } from '@prismapi/core/validation/rules/rules'
import type { Action } from '@prismapi/jsonapi/schema/actions'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import type { TestRequest } from '../../send.ts'
import { type ReadWorld, shownFirst } from './hidden-world.ts'
import { schemasOf } from './world.ts'
import { type Named, pathOf, sent } from './writes.ts'

/**
 * Custom actions that may be carried out, as `type.action`, each with `meta` of its request.
 *
 * @example
 * const actions: AskedActions = {
 *   'posts.merge': { into: '2' },
 *   'users.invite': { email: 'new@example.com', team: { type: 'teams', id: '1' } },
 * }
 */
export type AskedActions = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** @throws {Error} for an action that no server has: it would not be tested. */
export function checkActions(schemas: readonly ResourceSchema[], actions: AskedActions): void {
  const known = schemas.flatMap(({ type, actions }) => [...actions.keys()].map((name) => `${type}.${name}`))
  const unknown = Object.keys(actions).find((name) => !known.includes(name))
  if (unknown === undefined) return
  const cure = known.length > 0 ? `Name one of ${[...new Set(known)].join(', ')}` : 'No type has one'
  throw new Error(`leaks({ actions: { '${unknown}' } }): no such action. ${cure}.`)
}

/** The actions of a resource itself: of a row that is not there each is refused. */
export function actionsAt(
  { world: { server } }: ReadWorld,
  named: Named,
  actions: AskedActions,
): readonly TestRequest[] {
  const { type } = named.schema
  return actionsOf(named.schema, 'member').map((action) =>
    actionRequest(action, `${server.basePath}${pathOf(named)}`, actions[`${type}.${action.name}`] ?? {}),
  )
}

/** Actions that may be carried out on visible rows: as given, and with the id in the place of each input. */
export function actionsWith(read: ReadWorld, named: Named | null, actions: AskedActions): readonly TestRequest[] {
  const { basePath } = read.world.server
  return schemasOf(read.world).flatMap((schema) => {
    const places = (action: Action): readonly string[] =>
      action.on === 'collection'
        ? [`/${schema.type}`]
        : shownFirst(read, schema).map(({ id }) => pathOf({ schema, id }))
    return [...schema.actions.values()].flatMap((action) => {
      const input = actions[`${schema.type}.${action.name}`]
      if (input === undefined && action.method !== 'GET') return []
      const inputs = named === null ? [input ?? {}] : inputsWith(action, input ?? {}, named)
      return places(action).flatMap((place) => inputs.map((each) => actionRequest(action, basePath + place, each)))
    })
  })
}

/** The inputs with the id of a row, as each of them could take it. */
function inputsWith({ rules }: Action, input: AskedActions[string], { schema, id }: Named): readonly object[] {
  const names = new Set([...Object.keys(rules).filter((name) => !name.includes('.')), ...Object.keys(input)])
  return [...names].flatMap((name) => {
    const rule = rules[name]
    const model = rule ? modelOfRule(rule) : null
    if (model !== null && model !== schema.model.name) return []
    const identifier = { type: schema.type, id }
    const isNumber = schema.id.columns.every((column) => schema.model.columns[column]?.type === 'Int')
    const ids: readonly unknown[] = isNumber ? [id, Number(id)] : [id]
    const values = model === null ? ids : [identifier]
    const was = input[name]
    return values.map((value) => ({ ...input, [name]: Array.isArray(was) ? [value] : value }))
  })
}

const actionsOf = ({ actions }: ResourceSchema, on: Action['on']): readonly Action[] =>
  [...actions.values()].filter((action) => action.on === on)

function actionRequest({ name, method }: Action, place: string, input: object): TestRequest {
  const path = `${place}/-actions/${name}`
  return method === 'GET' ? { method, path } : sent(method, path, { meta: input })
}
