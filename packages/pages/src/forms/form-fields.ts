import { describeRules } from '@prismapi/core/validation/request/describe-rules'
import { hasRule } from '@prismapi/core/validation/rules/infer-rules'
import { actionRules } from '@prismapi/core/validation/run/validate-action'
import type { Row } from '@prismapi/jsonapi/model/where'
import type { Action } from '@prismapi/jsonapi/schema/actions'
import { isToMany, type Relation } from '@prismapi/jsonapi/schema/relation-kinds'
import {
  type Attribute,
  isKeyAttribute,
  isKeyRelation,
  type ResourceSchema,
  targetSchemas,
} from '@prismapi/jsonapi/schema/resource-schema'
import { saysSecret } from '@prismapi/jsonapi/schema/secrets'
import { writeOf } from '@prismapi/openapi/caller'
import { isRequired, orNull, type Rule, ruleSchema, storedSchema } from '@prismapi/openapi/value-schema'
import type { VisibleApi } from '../data/page-request.ts'
import { searchUrl } from '../data/picker.ts'
import type { FormField } from './form-field.ts'

interface Writing {
  readonly schema: ResourceSchema
  readonly kind: 'create' | 'update'
}

/** What a caller can say of a new resource, or of one that there is: what the rules let this caller write. */
export function fieldsOf(api: VisibleApi, { schema, kind }: Writing, row: Row | null): readonly FormField[] {
  const isCreating = kind === 'create'
  const rules = rulesOf(api, { schema, kind })
  const ruleOf = (name: string): Rule | null => rules?.get(name) ?? null
  const isWritten = (name: string) => rules === null || rules.has(name)
  const id: readonly FormField[] =
    isCreating && schema.id.clientGenerated && isWritten('id')
      ? [
          {
            name: 'id',
            pointer: '/data/id',
            value: undefined,
            isRequired: isNeeded(ruleOf('id')),
            isTechnical: true,
            schema: { type: 'string' },
          },
        ]
      : []
  const attributes = [...schema.attributes.values()].filter(
    (attribute) =>
      hasRule(schema, attribute) &&
      isWritten(attribute.name) &&
      (isCreating || !isKeyAttribute(schema, attribute)) &&
      attribute.name !== schema.deletedAtAttribute,
  )
  return [
    ...id,
    ...attributes.map((attribute): FormField => {
      const stored = storedSchema(attribute)
      const rule = ruleOf(attribute.name)
      const alone = stored && attribute.isNullable ? orNull(stored) : (stored ?? {})
      return {
        name: attribute.name,
        pointer: `/data/attributes/${attribute.name}`,
        schema: rule ? ruleSchema(rule, stored) : alone,
        isRequired: isCreating && isNeeded(rule),
        isSecret: attribute.writeOnly,
        isTechnical: isTechnical(attribute),
        value: row
          ? attribute.writeOnly
            ? undefined
            : attribute.serialize(row)
          : isCreating
            ? defaultOf(attribute)
            : undefined,
        ...describedBy(attribute.column?.documentation),
      }
    }),
    ...(isCreating ? relationFields(api, schema, { ruleOf, isWritten }) : []),
  ]
}

/** What few people write: data for programs, and what the database fills in. */
const isTechnical = ({ kind, column, isRequired }: Attribute): boolean =>
  !isRequired &&
  (kind === 'json' || kind === 'bytes' || column?.isUpdatedAt === true || functions.has(column?.default ?? ''))

const functions: ReadonlySet<string> = new Set(['now', 'uuid', 'cuid', 'nanoid', 'ulid', 'dbgenerated'])

/** What the database takes where nothing is sent, if the Prisma schema says so. */
function defaultOf({ kind, column, isList, isConverted, writeOnly }: Attribute): unknown {
  const isPlain = !isList && !isConverted && !writeOnly && !['json', 'bytes', 'datetime'].includes(kind)
  return isPlain && column?.default === 'value' ? column.defaultValue : undefined
}

/**
 * The relations of a form that updates, without what they lead to: all but those that rows of other types keep, which
 * have forms of their own.
 */
export function editedRelations(api: VisibleApi, schema: ResourceSchema): readonly FormField[] {
  const rules = rulesOf(api, { schema, kind: 'update' })
  const isWritten = (name: string) => rules === null || rules.has(name)
  return relationFields(api, schema, { ruleOf: () => null, isWritten }).flatMap((field) => {
    const relation = schema.relations.get(field.name)
    if (!relation || isKeyRelation(schema, relation) || !ownLinks.has(relation.kind)) return []
    return [{ ...field, isRequired: 'isNullable' in relation && !relation.isNullable }]
  })
}

const ownLinks: ReadonlySet<Relation['kind']> = new Set(['belongsTo', 'morphTo', 'manyToMany'])

/** What the Prisma schema says in its `///` comments. */
const describedBy = (documentation: string | null | undefined) => documentation && { description: documentation }

interface Known {
  ruleOf(name: string): Rule | null
  isWritten(name: string): boolean
}

function relationFields(api: VisibleApi, schema: ResourceSchema, known: Known): readonly FormField[] {
  const written = [...schema.relations.values()].filter(
    (relation) => !relation.readOnly && known.isWritten(relation.name),
  )
  return written.map((relation) => ({
    ...relationField(api, relation, `/data/relationships/${relation.name}/data`),
    ...describedBy('field' in relation ? schema.model.relations[relation.field]?.documentation : null),
    isRequired: isNeeded(known.ruleOf(relation.name)) || isKeyRelation(schema, relation),
  }))
}

/** The linkage of a relation. */
export function relationField(api: VisibleApi, relation: Relation, pointer: string): FormField {
  const targets = targetSchemas(api.schemas, relation)
  const [target, ...others] = targets
  return {
    name: relation.name,
    pointer,
    schema: {},
    isRequired: false,
    value: undefined,
    linkage: {
      types: targets.map(({ type }) => type),
      isMany: isToMany(relation),
      search: target && others.length === 0 ? searchUrl(api, target) : null,
    },
  }
}

/** What an action takes. */
export const actionFields = (schema: ResourceSchema, action: Action): readonly FormField[] =>
  [...actionRules(schema, action).fields].map(([name, rule]) => ({
    name,
    pointer: `/meta/${name}`,
    schema: ruleSchema(rule.describe()),
    isRequired: isNeeded(rule.describe()),
    isSecret: saysSecret(schema.model.name, name),
    value: undefined,
  }))

const isNeeded = (rule: Rule | null): boolean => rule !== null && isRequired(rule)

/** The rules for this caller; where they need more than there is before something is sent, those that can be told. */
function rulesOf(
  { audience, requests, services }: VisibleApi,
  { schema, kind }: Writing,
): ReadonlyMap<string, Rule> | null {
  const known = audience.rulesOf(schema, kind) ?? describeRules({ requests, services }, writeOf(schema, kind))
  if (!known) return null
  return new Map([...known.rules.fields].map(([name, rule]) => [name, rule.describe()]))
}
