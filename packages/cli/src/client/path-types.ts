import { type Part, parameterRef } from '@prismapi/openapi/described'
import { namedParameter } from '@prismapi/openapi/parameter'
import type { Components } from '@prismapi/openapi/referred'
import { mediaType as jsonApi } from '@prismapi/openapi/responses'
import { docOf, literal, memberName, objectText, typeText, union } from './type-text.ts'

/** What is asked at a URL. */
export interface Asked {
  /** The types that an answer's primary data may have. */
  readonly types: readonly string[]
  /** The type and the relation whose linkage it is; null at other URLs. */
  readonly linkage: readonly [type: string, relation: string] | null
  readonly isOfRelation: boolean
}

export interface Described {
  readonly components: Components
  /** By URL; a URL without an entry is asked for nothing of types. */
  readonly asked: ReadonlyMap<string, Asked>
}

const nothingAsked: Asked = { types: [], linkage: null, isOfRelation: false }

/** The member of `paths` for one URL. */
export function pathText([url, item]: readonly [string, Part], described: Described): string {
  const { parameters = [], ...operations } = item as Part & { readonly parameters?: readonly Part[] }
  const members = Object.entries(operations as Readonly<Record<string, Part>>).map(
    ([method, operation]) =>
      `${docOf(operation)}${method}: ${operationText(described, { url, method, operation, ofPath: parameters })}`,
  )
  return `${memberName(url)}: {\n${members.join('\n')}\n}`
}

interface Operation {
  readonly url: string
  readonly method: string
  readonly operation: Part
  readonly ofPath: readonly Part[]
}

function operationText(described: Described, { url, method, operation, ofPath }: Operation): string {
  const { components } = described
  const { parameters = [], requestBody, responses } = operation
  const asked = described.asked.get(url) ?? nothingAsked
  const all = [...ofPath, ...(parameters as readonly Part[]), ...versionsOf(described, asked, method)]
  const body = requestBody ? resolved(requestBody as Part, components) : null
  return `{
parameters: ${parametersText(all, asked, components)}${body ? `\n${bodyText(body)}` : ''}
responses: ${answersText(responses as Readonly<Record<string, Part>>, components)}
}`
}

/** A header that the document lists at the URLs of types alone. */
function versionsOf({ components }: Described, { isOfRelation }: Asked, method: string): readonly Part[] {
  const name = method === 'get' ? 'If-None-Match' : 'If-Match'
  return isOfRelation && components.parameters?.[name] ? [parameterRef(name)] : []
}

/** A component in the place of a reference. */
function resolved(part: Part, components: Components): Part {
  if (typeof part.$ref !== 'string') return part
  const [, , family = '', name = ''] = part.$ref.split('/')
  return components[family]?.[name] ?? {}
}

const places = ['path', 'query', 'header'] as const
type Place = (typeof places)[number]

function parametersText(parameters: readonly Part[], asked: Asked, components: Components): string {
  const members = places.flatMap((place) => {
    const texts = parameters.flatMap((each) => parameterText(each, place, { asked, components }))
    if (texts.length === 0) return []
    const isNeeded = (each: Part) => {
      const { in: at, required } = resolved(each, components)
      return at === place && required === true
    }
    return [`${place}${parameters.some(isNeeded) ? '' : '?'}: ${[...new Set(texts)].join(' & ')}`]
  })
  return members.length === 0 ? '{}' : `{ ${members.join('; ')} }`
}

interface At {
  readonly asked: Asked
  readonly components: Components
}

/** The type whose members the parameter is one of: all that a type is filtered by is one. */
function parameterText(parameter: Part, place: Place, { asked, components }: At): readonly string[] {
  const named = namedParameter(parameter)
  const part = resolved(parameter, components)
  const { name, required = false, schema } = part
  if (part.in !== place) return []
  if (name === 'include') return includeText(asked, named?.type ?? null)
  if (named?.family === 'fields') return ['Fields']
  const isGiven = place !== 'query' && named?.family === name
  if (isGiven) return [`Given[${literal(name)}]`]
  const [type] = named?.type == null ? asked.types : [named.type]
  if (!named || !ofTypes.has(named.family) || type === undefined)
    return [objectText({ [String(name)]: schema as Part }, required ? [String(name)] : [])]
  const own = `Types[${literal(type)}][${literal(named.family)}]`
  return named.family === 'filter' ? [own, `RelationFilter<${literal(type)}>`] : [own]
}

const ofTypes: ReadonlySet<string> = new Set(['filter', 'page', 'sort', 'withCount', 'withStats'])

/** Identifiers have no fields, but what they include has. */
function includeText({ types, linkage }: Asked, type: string | null): readonly string[] {
  if (linkage) return [`Include<${linkage.map(literal).join(', ')}>`, 'Fields']
  return [`Include<${union((type === null ? types : [type]).map(literal))}>`]
}

function bodyText({ required, content }: Part): string {
  return `requestBody${required === true ? '' : '?'}: ${contentText(content as Part)}`
}

function answersText(responses: Readonly<Record<string, Part>>, components: Components): string {
  const answers = Object.entries(responses).flatMap(([status, response]) => {
    if (!status.startsWith('2')) return []
    const { content } = resolved(response, components)
    return [`${status}: ${content ? contentText(content as Part) : 'Nothing'}`]
  })
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
