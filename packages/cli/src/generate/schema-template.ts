import { isToMany, isToOne } from '@prismapi/jsonapi/schema/relation-kinds'
import type { Attribute, ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { classLine, className, importLine, indented, quoted } from '../source.ts'
import { deletedColumn, expectedSort, isUnique } from './examples.ts'

const imported = ['type Fields', 'Schema']

/** A schema class that changes nothing, with overrides of the type's own fields to be taken out of their comments. */
export function schemaTemplate(type: ResourceSchema): string {
  const model = type.model.name
  return `${importLine(imported)}

/** What differs from the inferred type ${type.type} on this server: as it was generated, nothing. */
${classLine({ name: className(model, 'Schema', imported), base: 'Schema', model, extra: ownNames(type) })}
${indented(comments(members(type)), '  ')}
  override fields(): Fields {
    return ${list(comments(fields(type)))}
  }

  // Not paginated:
  // override pagination() { return null }
}
`
}

/** The names of documents that are none of the model's. */
const ownNames = ({ attributes, relations }: ResourceSchema): readonly string[] => [
  ...[...attributes.values()].filter((attribute) => columnOf(attribute) !== attribute.name).map(({ name }) => name),
  ...[...relations.values()].filter((each) => 'field' in each && each.field !== each.name).map(({ name }) => name),
]

const list = (lines: readonly string[]): string => (lines.length > 0 ? `[\n${indented(lines, '      ')}    ]` : '[]')

const comments = (lines: readonly string[]): readonly string[] => lines.map((line) => `// ${line}`)

function members(type: ResourceSchema): readonly string[] {
  const sort = expectedSort(type)
  const deleted = deletedColumn(type)
  const included = [...type.relations.values()].find((relation) => relation.isIncludable && isToOne(relation))
  return [
    `override type = ${quoted(type.type)}`,
    ...(sort ? [`override readonly defaultSort = ${quoted(sort)}`] : []),
    ...(included ? [`override readonly defaultInclude = [${quoted(included.name)}] as const`] : []),
    `override perPage = ${type.perPage}`,
    'override maxPageSize = 100',
    ...(deleted ? [`override softDelete = ${quoted(deleted)} as const`] : []),
  ]
}

function fields(type: ResourceSchema): readonly string[] {
  const shown = [
    ...(type.id.clientGenerated ? [] : ['this.id().clientGenerated()']),
    ...attributeFields(type),
    ...relationFields(type),
  ]
  return shown.map((field) => `${field},`)
}

function attributeFields(type: ResourceSchema): readonly string[] {
  const attributes = [...type.attributes.values()].filter(({ column }) => column !== null)
  const slug = attributes.find((attribute) => attribute.kind === 'string' && isUnique(type, attribute))
  const written = attributes.filter((attribute) => !attribute.readOnly && attribute !== slug)
  const [renamed, hidden = renamed, kept = hidden] = written
  const text = attributes.find(({ kind, isNullable, isList }) => kind === 'string' && !isNullable && !isList)
  return [
    ...(slug ? [`${of(slug)}.singular()`] : []),
    ...(renamed ? [`${of(renamed)}.named(${quoted(`${renamed.name}Renamed`)})`] : []),
    ...(hidden ? [`${of(hidden)}.hidden()`] : []),
    ...(kept ? [`${of(kept)}.asReadOnly()`] : []),
    ...(text ? [computed(text)] : []),
  ]
}

// An override is about the column, whatever inference calls its attribute.
const columnOf = ({ column, name }: Attribute): string => column?.name ?? name
const of = (attribute: Attribute): string => `this.attribute(${quoted(columnOf(attribute))})`

const computed = (text: Attribute): string =>
  `this.attribute('${text.name}Length').computed(['${columnOf(text)}'], (row) => row.${columnOf(text)}.length)`

function relationFields({ relations }: ResourceSchema): readonly string[] {
  const named = [...relations.values()].filter((relation) => relation.kind !== 'morphTo')
  const toOne = named.find(isToOne)
  const toMany = named.filter(isToMany)
  return [
    ...(toOne ? [`this.relation(${quoted(toOne.field)}).alwaysShowData()`] : []),
    ...toMany.slice(0, 1).map(({ field }) => `this.relation(${quoted(field)}).mustValidate()`),
    ...toMany.slice(-1).map(({ field }) => `this.relation(${quoted(field)}).asReadOnly().withoutDefaultPagination()`),
  ]
}
