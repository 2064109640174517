import type { DescribedRules } from '@prismapi/core/validation/request/describe-rules'
import { hasRule } from '@prismapi/core/validation/rules/infer-rules'
import { isToMany } from '@prismapi/jsonapi/schema/relation-kinds'
import {
  type Attribute,
  isKeyAttribute,
  isKeyRelation,
  type ResourceSchema,
} from '@prismapi/jsonapi/schema/resource-schema'
import { deprecatedPart } from './deprecations.ts'
import { type Described, described, type Part } from './described.ts'
import { sentExample } from './examples.ts'
import { sentRelationship } from './linkage.ts'
import { wordsFor } from './names.ts'
import { isRequired, orNull, type Rule, ruleSchema, storedSchema } from './value-schema.ts'

/** In operations, where other ones name it. */
const localId = 'A name of the resource within the request.'

const wholeId = 'May be left out where the attributes, and the relationships, say all of its parts.'

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

function membersSchema({ kind, known }: Writing, members: Members): Part {
  const required = [...members.keys()].filter(
    (name) => kind === 'create' && isRequired(ruleOf(known, name) ?? anything),
  )
  return {
    type: 'object',
    properties: Object.fromEntries(members),
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
      attribute.name !== schema.deletedAtAttribute &&
      ((kind === 'create' && saysId(schema, attribute)) ||
        (hasRule(schema, attribute) &&
          (kind === 'create' || !isKeyAttribute(schema, attribute)) &&
          mayBeWritten(known, attribute.name))),
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

/** Of ids of several parts, which clients choose: they are sent in the id, as attributes, or both. */
const hasParts = ({ id }: ResourceSchema): boolean => id.clientGenerated && id.columns.length > 1

const saysId = (schema: ResourceSchema, attribute: Attribute): boolean =>
  hasParts(schema) && !attribute.readOnly && isKeyAttribute(schema, attribute)

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
      return [
        relation.name,
        { ...sentRelationship(server, relation, isNullable), ...deprecatedPart(relation.deprecation) },
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
    schema: {
      type: 'string',
      ...(isPlain && { pattern: pattern.source }),
      ...(hasParts(schema) && { description: wholeId }),
    },
    isRequired: rule !== null && isRequired(rule) && !hasParts(schema),
  }
}
