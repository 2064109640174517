import type { CompiledServer } from '@prismapi/core/server/compile'
import { writeRules } from '@prismapi/core/validation/request/make-request'
import { factsOf } from '@prismapi/core/validation/request/request-base'
import { ResourceRequest } from '@prismapi/core/validation/request/resource-request'
import type { ModelMeta } from '@prismapi/jsonapi/model/meta'
import { foreignKeyColumns } from '@prismapi/jsonapi/schema/relation-kinds'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { ownRow } from './assertion.ts'
import { always, both, either, type Formula, negated, never, reasonsIn } from './formula.ts'
import { type Persona, personaKey, personaName } from './model/persona.ts'
import type { Entry, PolicyModel } from './model/policy-model.ts'
import type { Prover } from './prover.ts'

/** A field of users by which permissions are decided, and that some users change of themselves. */
export interface OwnClaim {
  readonly server: string
  readonly model: string
  readonly field: string
  /** The kinds of users that do: `MEMBER`. */
  readonly who: readonly string[]
}

/**
 * The claims of users, such as their role, that a user changes in their own row who is not there to change those of
 * others: of some row that they may view, they may not, or there is no other row that they may change. Nothing is told
 * of what only code decides.
 */
export async function ownClaims(prover: Prover): Promise<readonly OwnClaim[]> {
  const { servers, userType } = prover.app
  const meta = userType.model === null ? undefined : prover.app.resources.models[userType.model]
  if (!meta) return []
  const policies = await prover.model()
  const claims = claimsOf(prover, meta, policies)
  const own = ownRow(prover, meta)
  const found: OwnClaim[] = []
  for (const server of servers) {
    const schema = server.schemas.byModel.get(meta.name)
    if (!schema?.operations.has('update')) continue
    for (const field of claims.flatMap((claim) => fieldOf(schema, claim) ?? [])) {
      const who = new Set<string>()
      for (const persona of prover.personas) {
        const entryOf = (action: string) => entryFor(policies, { server, meta, persona, action })
        const change = changeOf(entryOf('update'), field)
        if (change === never || reasonsIn(change).length > 0 || !takes({ prover, server, schema }, persona, field))
          continue
        const seen = either(...['view', 'viewAny'].map((action) => entryOf(action)?.formula ?? never))
        const some = (...parts: readonly Formula[]) =>
          prover.find(meta, [{ formula: both(...parts), isTrue: true, isCertain: true }]).then((row) => row !== null)
        if (!(await some(change, own))) continue
        if ((await some(seen, negated(change))) || !(await some(change, negated(own)))) who.add(personaName(persona))
      }
      if (who.size > 0) found.push({ server: server.name, model: meta.name, field, who: [...who] })
    }
  }
  return found
}

/** The columns that are claims and no part of the key: of any value only those that rules compare with something. */
function claimsOf({ app }: Prover, { columns, key }: ModelMeta, policies: PolicyModel): readonly string[] {
  const text = JSON.stringify(policies)
  return Object.entries(app.userType.claims).flatMap(([name, { kind }]) => {
    const isRead = kind === 'values' || text.includes(JSON.stringify({ claim: name }))
    return isRead && columns[name] && !key.includes(name) ? [name] : []
  })
}

/** What documents call the column; null where clients do not write it. */
function fieldOf({ attributes, relations }: ResourceSchema, column: string): string | null {
  const attribute = [...attributes.values()].find((each) => each.column?.name === column && !each.readOnly)
  const relation = [...relations.values()].find((each) => foreignKeyColumns(each).includes(column) && !each.readOnly)
  return (attribute ?? relation)?.name ?? null
}

interface Asked {
  readonly server: CompiledServer
  readonly meta: ModelMeta
  readonly persona: Persona
  readonly action: string
}

const entryFor = (policies: PolicyModel, { server, meta, persona, action }: Asked): Entry | undefined =>
  policies.find(
    (entry) =>
      entry.server === server.name &&
      entry.model === meta.name &&
      entry.action === action &&
      entry.persona === personaKey(persona),
  )

const changeOf = (entry: Entry | undefined, field: string): Formula =>
  entry ? both(entry.formula, entry.fields?.[field] ?? always) : never

interface Served {
  readonly prover: Prover
  readonly server: CompiledServer
  readonly schema: ResourceSchema
}

/** Does the request class take the field from such a caller; false where it needs a request to say. */
function takes({ prover, server, schema }: Served, persona: Persona, field: string): boolean {
  const Class = server.requests.get(schema.model.name)?.request ?? ResourceRequest
  const [{ user }] = prover.runs(persona)
  const { services } = server
  try {
    const facts = factsOf({ kind: 'update', schema, id: '' }, { caller: { user, rows: null }, services })
    return writeRules(new Class(facts)).fields.has(field)
  } catch {
    return false
  }
}
