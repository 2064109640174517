import { everything } from './build.ts'
import type { Condition } from './condition.ts'

/** The global scopes of one request: what may be seen of each model. Models without a scope are absent. */
export type Scopes = ReadonlyMap<string, Condition>

/** The scope of a model: everything, where it has none. */
export const scopeOf = (scopes: Pick<Scopes, 'get'>, model: string): Condition => scopes.get(model) ?? everything
