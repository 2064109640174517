import { isKeptByTarget, isToMany, type Relation } from '../schema/relation-kinds.ts'
import { isKeyAttribute, isKeyRelation, type ResourceSchema } from '../schema/resource-schema.ts'
import type { DescribedRules } from '../validation/request/describe-rules.ts'
import { hasRule } from '../validation/rules/infer-rules.ts'
import { withSharedMembers } from './compact.ts'
import { deprecatedPart } from './deprecations.ts'
import { type Described, described, type Part } from './described.ts'
import { sentExample } from './examples.ts'
import { linkageSchema } from './linkage.ts'
import { wordsFor } from './names.ts'
import { isRequired, type Rule, ruleSchema } from './rule-schema.ts'
import { orNull, storedSchema } from './value-schema.ts'

/** In operations, where other ones name it. */
const localId = 'A name of the resource within the request.'

type Kind = 'create' | 'update'

interface Writing {
  readonly server: Described
  readonly schema: ResourceSchema
  readonly kind: Kind
  readonly known: DescribedRules | null
}

/** The document that creates a resource of the type, or updates one. */
export function resourceBody(server: Described, schema: ResourceSchema, kind: Kind): Part {
  const known = server.audience.rulesOf(schema, kind)
  const writing = { server, schema, kind, known }
  const attributes = membersSchema(writing, attributesOf(writing))
  const relationships = membersSchema(writing, relationshipsOf(writing))
  const isForOthers = known === null || known.isPersonal
  const id = idOf(writing)
  const required = [
    'type',
    ...(id.isRequired ? ['id'] : []),
    ...('required' in attributes ? ['attributes'] : []),
    ...('required' in relationships ? ['relationships'] : []),
  ]
  const properties = {
    type: { type: 'string', const: schema.type },
    ...(id.schema && { id: id.schema }),
    ...(kind === 'create' && server.version === '1.1' && { lid: { type: 'string', description: localId } }),
    attributes,
    relationships,
    meta: { type: 'object' },
  }
  const data = { type: 'object', required, properties }
  const example = server.examples.get(schema.type)
  const does = `A document that ${kind}s ${wordsFor(schema).any}.`
  return {
    type: 'object',
    description: isForOthers
      ? `${does} Which of its fields are written, and which must be sent, depends on the caller.`
      : does,
    required: ['data'],
    properties: { data },
    ...(example && sentExample(example, data)),
  }
}

type Members = ReadonlyMap<string, Part>

function membersSchema({ server, kind, known }: Writing, members: Members): Part {
  const required = [...members.keys()].filter(
    (name) => kind === 'create' && isRequired(ruleOf(known, name) ?? anything),
  )
  return {
    type: 'object',
    properties: withSharedMembers(server, members),
    ...(required.length > 0 && { required }),
  }
}

const anything: Rule = { type: 'mixed' }

function ruleOf(known: DescribedRules | null, name: string): Rule | null {
  return known?.rules.fields.get(name)?.describe() ?? null
}

/** Fields without a rule are ignored; where rules depend on the caller, others may have one. */
const mayBeWritten = (known: DescribedRules | null, name: string): boolean =>
  known === null || known.isPersonal || known.rules.fields.has(name)

function attributesOf({ schema, kind, known }: Writing): Members {
  const written = [...schema.attributes.values()].filter(
    (attribute) =>
      hasRule(schema, attribute) &&
      attribute.name !== schema.deletedAtAttribute &&
      (kind === 'create' || !isKeyAttribute(schema, attribute)) &&
      mayBeWritten(known, attribute.name),
  )
  return new Map(
    written.map((attribute) => {
      const stored = storedSchema(attribute)
      const rule = ruleOf(known, attribute.name)
      const alone = stored && attribute.isNullable ? orNull(stored) : (stored ?? {})
      return [
        attribute.name,
        {
          ...(rule ? ruleSchema(rule, stored) : alone),
          ...(attribute.writeOnly && { writeOnly: true }),
          ...described(attribute.column?.documentation),
          ...deprecatedPart(attribute.deprecation),
        },
      ]
    }),
  )
}

/** What a client could not know by its own type: it is refused for the sake of another. */
const toldOfLinks = (relation: Relation): Part =>
  isKeptByTarget(relation) && relation.asksUpdate
    ? {
        description: 'The caller must be allowed to update each resource that is linked or unlinked.',
      }
    : {}

function relationshipsOf({ server, schema, kind, known }: Writing): Members {
  const written = [...schema.relations.values()].filter(
    (relation) =>
      !relation.readOnly &&
      (kind === 'create' || !isKeyRelation(schema, relation)) &&
      mayBeWritten(known, relation.name),
  )
  return new Map(
    written.map((relation) => {
      const rule = ruleOf(known, relation.name)
      const isNullable = rule && 'nullable' in rule ? rule.nullable : !isToMany(relation) && relation.isNullable
      const linkage = linkageSchema(server, relation, isNullable)
      const data = isToMany(relation) ? { ...linkage, maxItems: server.limits.linkage } : linkage
      const end = deprecatedPart(relation.deprecation)
      return [
        relation.name,
        { type: 'object', ...toldOfLinks(relation), required: ['data'], properties: { data }, ...end },
      ]
    }),
  )
}

function idOf({ schema, kind, known }: Writing): { readonly schema: Part | null; readonly isRequired: boolean } {
  if (kind === 'update') return { schema: { type: 'string' }, isRequired: true }
  const { clientGenerated, pattern } = schema.id
  if (!clientGenerated) return { schema: null, isRequired: false }
  const isPlain = /^u?$/.test(pattern.flags)
  const rule = ruleOf(known, 'id')
  return {
    schema: { type: 'string', ...(isPlain && { pattern: pattern.source }) },
    isRequired: rule !== null && isRequired(rule),
  }
}
