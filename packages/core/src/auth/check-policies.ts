import type { Resources } from '@prismapi/jsonapi/model/meta'
import { nearest } from '@prismapi/jsonapi/model/nearest'
import { isToMany } from '@prismapi/jsonapi/schema/relation-kinds'
import type { ResourceSchema, SchemaRegistry } from '@prismapi/jsonapi/schema/resource-schema'
import { plainActions, relationActions } from './actions.ts'
import { type AnyPolicy, methodNames, policyFile } from './policy.ts'
import { type DeclaredRule, declaredRules, toRules } from './rules.ts'
import { compileRules } from './user-rules.ts'

/** A server, as far as its policies are checked. */
interface Policed {
  readonly name: string
  readonly policies: ReadonlyMap<string, AnyPolicy>
  readonly schemas: SchemaRegistry
}

/**
 * Checks at startup that every method of every policy is an action of its model on at least one server that has it.
 *
 * @returns the types without a policy, which are therefore denied to everybody; with the servers, where others have one
 * @throws Error naming the policy's file, the method and the nearest right name.
 */
export function checkPolicies(...servers: readonly Policed[]): readonly string[] {
  const served = new Map<string, Map<object, { readonly policy: AnyPolicy; readonly own: ResourceSchema[] }>>()
  for (const { policies, schemas } of servers) {
    for (const schema of schemas.byType.values()) checkActions(schema)
    for (const [model, policy] of policies) {
      const schema = schemas.byModel.get(model)
      if (!schema) continue
      const classes = served.get(model) ?? new Map()
      const found = classes.get(policy.constructor) ?? { policy, own: [] }
      found.own.push(schema)
      served.set(model, classes.set(policy.constructor, found))
    }
  }
  for (const [model, classes] of served)
    for (const { policy, own } of classes.values())
      checkMethods(model, policy, new Set([...plainActions, ...own.flatMap(actionsOf)]))
  return deniedTypes(servers)
}

function deniedTypes(servers: readonly Policed[]): readonly string[] {
  const types = new Map<string, { readonly denied: string[]; served: number }>()
  for (const { name, policies, schemas } of servers)
    for (const { type, model, authorizable } of schemas.byType.values()) {
      const found = types.get(type) ?? { denied: [], served: 0 }
      types.set(type, found)
      found.served++
      if (authorizable && !policies.has(model.name)) found.denied.push(name)
    }
  return [...types].flatMap(([type, { denied, served }]) => {
    if (denied.length === 0) return []
    return denied.length === served ? [type] : [`${type} on ${denied.join(' and ')}`]
  })
}

// Relations of the Prisma model count although a schema hides or renames them: the policy is for all servers.
const actionsOf = (schema: ResourceSchema): readonly string[] => [
  ...inferredActions(schema),
  ...schema.actions.keys(),
  ...schema.unservedActions,
]

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
      `${policyFile(model, policy)}: ${name} is no action of ${model}. ${cure} A helper belongs outside of the class, or is #private.`,
    )
  }
}

/**
 * Reads the rules of each policy as the sample users and as a guest, unless its code throws because there is no user.
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
        if (schema) compileRules(policy, schema, resources, user)
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
  toRules(declared, schema, { models, policy })
}
