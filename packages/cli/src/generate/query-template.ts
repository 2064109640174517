import { isToOne } from '@prismapi/jsonapi/schema/relation-kinds'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { classLine, className, importLine, indented, listed, quoted } from '../source.ts'
import { indexedAttributes } from './examples.ts'
import { calledRules } from './rule-lines.ts'

type Role = 'query' | 'collection-query'

/** Rules for queries: those of pages are in force, the others are there to be taken out of their comments. */
export function queryTemplate(type: ResourceSchema, role: Role): string {
  const isCollection = role === 'collection-query'
  const base = isCollection ? 'ResourceCollectionQuery' : 'ResourceQuery'
  const rules = isCollection ? pageRules(type) : []
  const examples = isCollection ? collectionExamples(type) : includeExamples(type)
  const imported = [base, ...calledRules(rules.join('\n'))]
  const model = type.model.name
  const name = className(model, isCollection ? 'CollectionQuery' : 'Query', imported)
  return `${importLine(imported)}

${isCollection ? collectionComment(type) : resourceComment(type)}
${classLine({ name, base, model, extra: [] })}
  override rules() {
    return this.checked({
${indented([...rules, ...examples.map((example) => `// ${example}`)], '      ')}    })
  }
}
`
}

const resourceComment = ({ type }: ResourceSchema): string =>
  `/** What may be asked of one resource of the type ${type}, beyond what the schema allows. */`

const collectionComment = ({ type }: ResourceSchema): string => `/**
 * What may be asked of collections of ${type}, beyond what the schema allows, also where a relationship leads to them:
 * \`this.isNotRelationship()\` tells.
 */`

function pageRules({ paginator, maxPageSize }: ResourceSchema): readonly string[] {
  if (paginator === null) return ['page: notSupported(),']
  const size = `integer().min(1).max(${Math.min(100, maxPageSize)})`
  const known = new Map(Object.entries({ number: 'integer().min(1)', size, limit: size }))
  const rules = paginator.keys.flatMap((key) => (known.has(key) ? [`'page.${key}': ${known.get(key)},`] : []))
  return [
    ...(rules.length > 0 ? rules : ['page: page(),']),
    // The order is the cursor's.
    ...(paginator.order === null ? [] : ['sort: notSupported(),']),
  ]
}

function collectionExamples(type: ResourceSchema): readonly string[] {
  const isSorted = type.paginator?.order != null
  const orders = isSorted ? [] : indexedAttributes(type).flatMap((name) => [name, `-${name}`])
  const filter = [...type.attributes.values()].find(({ isFilterable }) => isFilterable)
  return [
    ...(orders.length > 0 ? [`sort: string().oneOf([${listed(orders)}]),`] : []),
    ...(filter ? [`'filter.${filter.name}': notSupported(),`] : []),
    ...includeExamples(type),
  ]
}

function includeExamples({ type, relations }: ResourceSchema): readonly string[] {
  const toOne = [...relations.values()].filter((relation) => relation.isIncludable && isToOne(relation))
  const paths = ['', ...toOne.map(({ name }) => name)]
  return [
    relations.size > 0 ? `include: string().oneOf([${listed(paths)}]),` : 'include: notSupported(),',
    `${quoted(`fields.${type}`)}: notSupported(),`,
  ]
}
