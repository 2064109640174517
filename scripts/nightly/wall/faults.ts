import type { Visibility } from '../../../packages/core/src/read/rows.ts'

/** A line that is taken out of the wall, which then hides less. */
export interface Fault {
  readonly file: string
  readonly line: string
  /** What stands there instead. */
  readonly instead: string
}

const core = (file: string): string => `packages/core/src/${file}`
const rows = core('read/rows.ts')

const visibility = (name: Visibility, line: string): Fault => ({
  file: rows,
  line: `case '${name}':\n        return ${line}`,
  instead: `case '${name}':\n        return everything`,
})

/** One for each visibility, and one for each other thing that the wall is made of. */
export const faults = {
  listed: visibility('listed', 'both(scopes.get(model), this.#listable(model))'),
  listedWithDeleted: visibility('listedWithDeleted', 'both(scopesWithDeleted.get(model), this.#listable(model))'),
  related: visibility('related', 'scopes.get(model) ?? everything'),
  relatedWithDeleted: visibility('relatedWithDeleted', 'scopesWithDeleted.get(model) ?? everything'),
  named: visibility('named', 'scopesById.get(model) ?? everything'),
  'soft deletion': {
    file: rows,
    line: '[undeleted(schema), ...(scopes.get(name) ?? [])]',
    instead: '[...(scopes.get(name) ?? [])]',
  },
  viewEverywhere: {
    file: rows,
    line: '[...(scopes.get(model) ?? []), where]',
    instead: '[...(scopes.get(model) ?? [])]',
  },
  viewAnyByView: {
    file: rows,
    line: 'return both(scopes.get(model), this.#listable(model))',
    instead: 'return all(scopes.get(model))',
  },
  'behind a filter or a sort': {
    file: 'packages/jsonapi/src/query/query-context.ts',
    line: 'scopes.get(model) ?? everything',
    instead: 'everything',
  },
  'groups of figures': {
    file: core('read/statistics.ts'),
    line: "seen: ctx.rows.visible('related', target.model.name)",
    instead: 'seen: everything',
  },
  'fields of rows': {
    file: core('read/resource.ts'),
    line: "resource.hidden = names === ''",
    instead: 'resource.hidden = true',
  },
} satisfies Readonly<Record<Visibility, Fault>> & Readonly<Record<string, Fault>>

export type FaultName = keyof typeof faults
