import type { Resources } from '../model/meta.ts'
import { nearest } from '../model/nearest.ts'
import type { User } from '../model/register.ts'
import type { Where } from '../model/where.ts'

/** What `phase.scopes` takes for one model. */
export type Scope = 'public' | Where | ((user: User | null) => 'public' | Where)

/** What is wrong with the names: every model has to be there, and nothing else. Models that no server serves need no scope. */
export function missingOf(all: Readonly<Record<string, unknown>>, models: Resources['models']): Error | null {
  const isNamed = (name: string) => Object.hasOwn(all, name) && all[name] !== undefined
  const missing = Object.values(models).find(({ name, isHidden }) => !isHidden && !isNamed(name))
  if (missing)
    return new Error(`scopes() does not name ${missing.name}. Add a condition for it, or ${missing.name}: 'public'.`)
  const unknown = Object.keys(all).find((name) => !Object.hasOwn(models, name))
  if (unknown === undefined) return null
  const meant = nearest(unknown, Object.keys(models))
  return new Error(
    `scopes() names ${unknown}, which is no model. ${meant ? `Did you mean ${meant}?` : 'Leave it out.'}`,
  )
}
