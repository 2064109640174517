import type { Part } from '@prismapi/openapi/described'
import type { ParameterParts } from '@prismapi/openapi/parameter'
import type { Components } from '@prismapi/openapi/referred'
import { docOf, literal, memberName, typeText } from './type-text.ts'

interface ModelTypes {
  /** The members of `Types`: what documents, bodies and queries have, by type. */
  readonly types: string
  /** What belongs to no type. */
  readonly shared: string
  /** Sparse fieldsets of each type. */
  readonly fields: string
  /** The id of a path, and headers. */
  readonly given: string
}

/**
 * In: the components of an OpenAPI document, and the parameters of each type by whole names. Out: the types that the
 * client's operations are made of.
 */
export function modelTypes(
  { schemas = {}, parameters = {} }: Components,
  asked: ReadonlyMap<string, ParameterParts>,
): ModelTypes {
  const types = new Texts()
  const shared: string[] = []
  for (const [name, schema] of Object.entries(schemas)) {
    const [first = '', part] = name.split('.')
    // What filters compare with has its own names below.
    if (part === undefined && first.startsWith('filter-')) continue
    const text = typeText(schema)
    if (part === undefined) shared.push(`${docOf(schema)}${memberName(first)}: ${text}`)
    else types.add(first, `${docOf(schema)}${memberName(part)}: ${text}`)
  }
  const fields: string[] = []
  for (const [type, all] of asked) {
    const families = new Texts()
    for (const [key, parameter] of Object.entries(all)) {
      const [family = ''] = key.split('.')
      if (family === 'fields') fields.push(queryMember(parameter, type))
      else if (family !== 'include') families.add(family, queryMember(parameter, type))
    }
    for (const [family, members] of families.all) types.add(type, `${family}: ${block(members)}`)
  }
  const ofNoType = Object.values(parameters).filter(({ in: place }) => place !== 'query')
  const given = new Map(ofNoType.map((each) => [String(each.name), queryMember(each, undefined)]))
  return {
    types: [...types.all].map(([type, members]) => `${memberName(type)}: ${block(members)}`).join('\n'),
    shared: shared.join('\n'),
    fields: fields.join('\n'),
    given: [...given].map(([name, member]) => `${memberName(name)}: ${block([member])}`).join('\n'),
  }
}

/** `'filter[title]'?: string` */
function queryMember(parameter: Part, type: string | undefined): string {
  const schema = parameter.schema as Part
  const mark = parameter.required === true ? '' : '?'
  const text = parameter.name === 'sort' && isOpen(schema) ? `Sort<${literal(type)}>[]` : typeText(schema)
  return `${docOf(parameter)}${memberName(String(parameter.name))}${mark}: ${text}`
}

/** Does the document list some sorts only, and a pattern for the others. */
const isOpen = ({ items }: Part): boolean => (items as Part).anyOf !== undefined

const block = (members: readonly string[]): string => `{\n${members.join('\n')}\n}`

/** Lines by a name, in the order in which they come. */
class Texts {
  readonly all = new Map<string, string[]>()

  add(name: string, text: string): void {
    const known = this.all.get(name)
    if (known) known.push(text)
    else this.all.set(name, [text])
  }
}
