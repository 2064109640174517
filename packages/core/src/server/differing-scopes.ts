import type { CompiledServer } from './compile.ts'
import { rehearse } from './rehearse.ts'

type Scoping = Pick<CompiledServer, 'name' | 'schemas' | 'services' | 'params' | 'serving'>

/**
 * A warning for each model of which one server hides rows and another one, which serves it, does not: the second server
 * shows rows that a policy or scope was meant to hide.
 *
 * @param users the users as whom the serving phases run, because scopes may differ for each
 */
export function unscopedElsewhere(servers: readonly Scoping[], users: readonly unknown[]): readonly string[] {
  const said = new Map(servers.map((server) => [server, scopesOf(server, users)]))
  const models = new Set(servers.flatMap(({ schemas }) => [...schemas.byModel.keys()]))
  return [...models].flatMap((model) => {
    const serving = servers.filter(({ schemas }) => schemas.byModel.has(model))
    const scoped = serving.filter((server) => said.get(server)?.hidden.has(model))
    const open = serving.filter((server) => !said.get(server)?.named.has(model))
    if (scoped.length === 0 || open.length === 0) return []
    const names = (some: readonly Scoping[]) => some.map(({ name }) => name).join(' and ')
    return [
      `${model} has a scope on ${names(scoped)}, and none on ${names(open)}, which ${open.length === 1 ? 'serves' : 'serve'} it, too. Add phase.scope('${model}', …) there; phase.scope('${model}', {}) says that all rows may be seen.`,
    ]
  })
}

interface SaidOfScopes {
  /** Models of which rows are hidden from some of the users. */
  readonly hidden: ReadonlySet<string>
  /** Those, and the models of which it is said that all rows may be seen. */
  readonly named: ReadonlySet<string>
}

function scopesOf(server: Scoping, users: readonly unknown[]): SaidOfScopes {
  const hidden = new Set<string>()
  const named = new Set<string>()
  const add = (model: string, scope: unknown) => {
    named.add(model)
    if (!isOpen(scope)) hidden.add(model)
  }
  rehearse(server, users, (name, [first, second]) => {
    if (name === 'scope') add(String(first), second)
    if (name === 'scopes' && typeof first === 'object')
      for (const [model, scope] of Object.entries(first ?? {})) add(model, scope)
  })
  return { hidden, named }
}

const isOpen = (scope: unknown): boolean =>
  scope === 'public' || (typeof scope === 'object' && scope !== null && Object.keys(scope).length === 0)
