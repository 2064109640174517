import type { Part } from '../../openapi/described.ts'
import { mediaType as jsonApi } from '../../openapi/responses.ts'
import { docOf, literal, memberName, objectText, typeText, union } from './type-text.ts'

/** The types that an answer's primary data have, by URL, where these are several. */
export type Mixed = ReadonlyMap<string, readonly string[]>

/** The member of `paths` for one URL. */
export function pathText([url, item]: readonly [string, Part], mixed: Mixed): string {
  const { parameters = [], ...operations } = item as Part & { readonly parameters?: readonly Part[] }
  const members = Object.entries(operations as Readonly<Record<string, Part>>).map(
    ([method, operation]) => `${docOf(operation)}${method}: ${operationText(operation, parameters, mixed.get(url))}`,
  )
  return `${memberName(url)}: {\n${members.join('\n')}\n}`
}

function operationText(operation: Part, ofPath: readonly Part[], types: readonly string[] = []): string {
  const { parameters = [], requestBody, responses } = operation
  const all = [...ofPath, ...(parameters as readonly Part[])]
  return `{
parameters: ${parametersText(all, types)}${requestBody ? `\n${bodyText(requestBody as Part)}` : ''}
responses: ${answersText(responses as Readonly<Record<string, Part>>)}
}`
}

const places = ['path', 'query', 'header'] as const
type Place = (typeof places)[number]

function parametersText(parameters: readonly Part[], types: readonly string[]): string {
  const members = places.flatMap((place) => {
    const texts = parameters.flatMap((parameter) => parameterText(parameter, place, types))
    if (texts.length === 0) return []
    const isRequired = place === 'path' || parameters.some((each) => each.in === place && each.required === true)
    return [`${place}${isRequired ? '' : '?'}: ${[...new Set(texts)].join(' & ')}`]
  })
  return members.length === 0 ? '{}' : `{ ${members.join('; ')} }`
}

const components = '#/components/parameters/'

/** The type whose members the parameter is one of: all that a type is filtered by is one. */
function parameterText(parameter: Part, place: Place, types: readonly string[]): readonly string[] {
  const { $ref, name, required, schema } = parameter
  if (typeof $ref === 'string') {
    const [family = '', type, relation] = $ref.slice(components.length).split('.')
    if (type === undefined) return placeOf(family) === place ? [`Given[${literal(family)}]`] : []
    if (place !== 'query') return []
    if (family === 'fields') return ['Fields']
    const named = `Types[${literal(type)}][${literal(family)}]`
    if (family === 'filter') return [named, `RelationFilter<${literal(type)}>`]
    if (family !== 'include') return [named]
    return [`Include<${[type, ...(relation === undefined ? [] : [relation])].map(literal).join(', ')}>`]
  }
  if (parameter.in !== place) return []
  if (name === 'include' && types.length > 0) return [`Include<${union(types.map(literal))}>`]
  return [objectText({ [String(name)]: schema as Part }, required === true ? [String(name)] : [])]
}

// Those without a dot: the id of a path, and headers.
const placeOf = (name: string): Place => (name === 'id' ? 'path' : 'header')

function bodyText({ required, content }: Part): string {
  return `requestBody${required === true ? '' : '?'}: ${contentText(content as Part)}`
}

function answersText(responses: Readonly<Record<string, Part>>): string {
  const answers = Object.entries(responses).flatMap(([status, { content }]) =>
    status.startsWith('2') ? [`${status}: ${content ? contentText(content as Part) : 'Nothing'}`] : [],
  )
  return `{ ${[...answers, 'default: Refused'].join('; ')} }`
}

/** The document; a stream of events, which the same URL may answer, is read by other programs. */
function contentText(content: Part): string {
  const members = Object.entries(content as Readonly<Record<string, { readonly schema: Part }>>)
  const documents = members.filter(([mediaType]) => mediaType === jsonApi)
  return (documents.length > 0 ? documents : members)
    .map(([mediaType, { schema }]) => contentOf(mediaType, typeText(schema)))
    .join(' | ')
}

const contentOf = (mediaType: string, type: string): string =>
  mediaType === jsonApi ? `Document<${type}>` : `{ content: { ${literal(mediaType)}: ${type} } }`
