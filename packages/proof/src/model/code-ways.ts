import type { Hooks } from '@prismapi/core/read/hooks'
import { fillHooks, rowHooks } from '@prismapi/core/write/hooks'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { both, either, type Formula, never, opaque, somewhere } from '../formula.ts'
import { mayWrite } from './code-writes.ts'
import { type Allowing, type Changing, changing, type Way } from './ways.ts'

interface Coded {
  readonly allowing: Allowing
  /** The ways that are no code. */
  readonly ways: (schema: ResourceSchema, action: Changing) => readonly Way[]
  readonly hooks: Hooks
}

const verb: Readonly<Record<Changing, string>> = {
  create: 'create',
  update: 'change',
  delete: 'delete',
  forceDelete: 'delete',
}

/**
 * The application code that may write rows of a model with what it gets: actions and hooks. An action on a row of the
 * model's own type is taken to write that row.
 */
export function codeOf({ allowing, ways, hooks }: Coded): (model: string, action: Changing) => readonly Way[] {
  const schemas = [...allowing.server.schemas.byModel.values()]
  const reached = new Map(schemas.map((schema) => [schema.model.name, written(schema)]))

  /** When requests write rows of a type, so that its hooks run. */
  function written(schema: ResourceSchema): Formula {
    const { name } = schema.model
    const verbs = [...schema.relations.keys()].map((each) => each.charAt(0).toUpperCase() + each.slice(1))
    const onRow = ['update', 'delete', 'forceDelete'].concat(
      verbs.flatMap((each) => [`update${each}`, `attach${each}`, `detach${each}`]),
    )
    return either(
      allowing.allowed(name, 'create'),
      somewhere(name, either(...onRow.map((action) => allowing.allowed(name, action)))),
      ...changing.flatMap((action) => ways(schema, action).map(({ formula }) => somewhere(name, formula))),
    )
  }

  function* actionsOn(model: string, action: Changing): Iterable<Way> {
    for (const schema of schemas)
      for (const { name, on, method, handle } of schema.actions.values()) {
        if (method === 'GET' || !mayWrite(handle, { model, action }, 0)) continue
        const { name: own } = schema.model
        const allowed = allowing.allowed(own, name)
        const isOwn = own === model && on === 'member'
        const by = `${name} of ${own}`
        const when = isOwn || on === 'collection' ? allowed : somewhere(own, allowed)
        yield { by, formula: both(when, opaque(`${by} is code, which may ${verb[action]} ${model}`)), fields: null }
      }
  }

  function* hooksOn(model: string, action: Changing): Iterable<Way> {
    for (const [key, registered] of hooks) {
      const [own = '', name = ''] = key.split(':')
      if (![...fillHooks, ...rowHooks].some((each) => each === name)) continue
      if (!registered.some((hook) => mayWrite(hook, { model, action }, 1))) continue
      const by = `${name} hook of ${own}`
      const when = reached.get(own) ?? never
      yield { by, formula: both(when, opaque(`${by} is code, which may ${verb[action]} ${model}`)), fields: null }
    }
  }

  return (model, action) =>
    [...actionsOn(model, action), ...hooksOn(model, action)].filter(({ formula }) => formula !== never)
}
