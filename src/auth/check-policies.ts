import type { Resources } from '../model/meta.ts'
import { nearest } from '../model/nearest.ts'
import { isToMany } from '../schema/relation-kinds.ts'
import type { ResourceSchema, SchemaRegistry } from '../schema/resource-schema.ts'
import { plainActions, relationActions } from './actions.ts'
import { compiledRules } from './compiled-rules.ts'
import { type AnyPolicy, methodNames, policyFile } from './policy.ts'
import { type DeclaredRule, declaredRules, toRules } from './rules.ts'

/**
 * Checks at boot that every method of every policy is an action of its model on at least one of the servers.
 *
 * @returns the types that have no policy, which are therefore denied to everybody.
 * @throws Error naming the policy's file, the method and the nearest right name.
 */
export function checkPolicies(
  policies: ReadonlyMap<string, AnyPolicy>,
  ...registries: readonly SchemaRegistry[]
): readonly string[] {
  const schemas = registries.flatMap((registry) => [...registry.byType.values()])
  for (const schema of schemas) checkActions(schema)
  for (const [model, policy] of policies) {
    const own = schemas.filter((schema) => schema.model.name === model)
    if (own.length > 0) checkMethods(model, policy, new Set([...plainActions, ...own.flatMap(actionsOf)]))
  }
  const denied = schemas.filter(({ model, authorizable }) => authorizable && !policies.has(model.name))
  return [...new Set(denied.map((schema) => schema.type))]
}

// Relations of the Prisma model count although a schema hides or renames them: the policy is for all servers.
const actionsOf = (schema: ResourceSchema): readonly string[] => [...inferredActions(schema), ...schema.actions.keys()]

const inferredActions = ({ model, relations }: ResourceSchema): readonly string[] => [
  ...Object.values(model.relations).flatMap((relation) => relationActions(relation.name, relation.isList)),
  ...[...relations.values()].flatMap((relation) => relationActions(relation.name, isToMany(relation))),
]

// One name, one decision: an action called `update` would be open to every user who may update.
function checkActions(schema: ResourceSchema): void {
  const taken = new Set([...reserved, ...plainActions, ...inferredActions(schema)])
  for (const name of schema.actions.keys()) {
    if (!taken.has(name)) continue
    throw new Error(
      `action('${name}') of ${schema.model.name}: to policies that name means something else already. Give it another one.`,
    )
  }
}

const reserved = ['abilities', 'reads', 'rowReads', 'writes', ...Object.getOwnPropertyNames(Object.prototype)]

function checkMethods(model: string, policy: AnyPolicy, actions: ReadonlySet<string>): void {
  for (const name of methodNames(policy)) {
    if (name === 'abilities' || actions.has(name)) continue
    const meant = nearest(name, [...actions, 'abilities'])
    const cure = meant ? `Did you mean ${meant}?` : `Its actions are ${[...actions].join(', ')}.`
    throw new Error(
      `${policyFile(model)}: ${name} is no action of ${model}. ${cure} A helper belongs outside of the class, or is #private.`,
    )
  }
}

/**
 * Reads the rules of each policy as the sample users have them, and as a guest has them, unless code throws for want of a user.
 *
 * @throws {Error} naming the policy's file and the role, for a rule that cannot mean anything.
 */
export function checkRulesOf(
  {
    policies,
    schemas,
    resources,
  }: { policies: ReadonlyMap<string, AnyPolicy>; schemas: SchemaRegistry; resources: Resources },
  sampleUsers: Readonly<Record<string, unknown>>,
): void {
  for (const [model, policy] of policies) {
    const schema = schemas.byModel.get(model)
    if (schema) checkRulesOfGuests(policy, schema, resources)
  }
  for (const [role, user] of Object.entries(sampleUsers)) {
    for (const [model, policy] of policies) {
      const schema = schemas.byModel.get(model)
      try {
        if (schema) compiledRules(policy, schema, resources, user)
      } catch (error) {
        throw new Error(`${(error as Error).message} (The rules of ${role}.)`, { cause: error })
      }
    }
  }
}

function checkRulesOfGuests(policy: AnyPolicy, schema: ResourceSchema, { models }: Resources): void {
  let declared: readonly DeclaredRule[]
  try {
    declared = declaredRules(policy, schema.model.name, null)
  } catch {
    // It asks for a claim that guests lack.
    return
  }
  toRules(declared, schema, models)
}
