import { type Described, type Part, type Paths, parameterRef } from './described.ts'
import { preconditionParameters } from './preconditions.ts'
import type { Components } from './referred.ts'

/** Does an audience learn of the method QUERY, of which OpenAPI 3.1 has no word. */
export const takesQuery = ({ openapi, features }: Described): boolean =>
  openapi === '3.2' && features.openapi.some((part) => part.takesQuery)

/** The paths with QUERY beside GET: what is a parameter of the URL there stands in the body here. */
export const withQueries = (server: Described, paths: Paths): Paths =>
  Object.fromEntries(Object.entries(paths).map(([url, item]) => [url, withQuery(server, item)]))

const withQuery = (server: Described, item: Part): Part =>
  Object.fromEntries(
    Object.entries(item).flatMap(([key, part]) =>
      key === 'get'
        ? [
            [key, part],
            ['query', queryOf(server, part as Part)],
          ]
        : [[key, part]],
    ),
  )

function queryOf(server: Described, { parameters = [], responses, ...get }: Part): Part {
  const all = parameters as readonly Part[]
  const asked = all.filter((parameter) => isAsked(server, parameter))
  const others = all.filter((parameter) => !asked.includes(parameter))
  const [tag] = (get.tags as readonly string[] | undefined) ?? []
  const name = server.shared.queries.nameOf({ asked }, tag === undefined ? 'query' : `${tag}.query`)
  return {
    ...get,
    ...(others.length > 0 && { parameters: others }),
    requestBody: { $ref: `#/components/requestBodies/${name}` },
    responses,
  }
}

/** Does a parameter stand in the URL. Those of headers are few, and known by their names. */
function isAsked({ features }: Described, parameter: Part): boolean {
  if (!('$ref' in parameter)) return parameter.in === 'query'
  const known: Part = Object.assign({}, preconditionParameters, ...features.openapi.map((part) => part.parameters))
  const name = String(parameter.$ref).slice(parametersStart.length)
  return ((known[name] as Part | undefined)?.in ?? 'query') === 'query'
}

const parametersStart = String(parameterRef('').$ref)

/** The bodies of QUERY, by their names: forms that are encoded as the parameters of a URL. */
export const queryBodies = ({ shared }: Described, parameters: Components[string]): Components[string] =>
  Object.fromEntries(
    Object.entries(shared.queries.parts).map(([name, { asked }]) => [
      name,
      bodyOf(asked as readonly Part[], parameters),
    ]),
  )

function bodyOf(asked: readonly Part[], parameters: Components[string]): Part {
  const fields = asked.map((parameter) => fieldOf(parameter, parameters))
  const needed = fields.filter(({ required }) => required).map(({ name }) => name)
  return {
    description: 'The query string of GET.',
    required: true,
    content: {
      'application/x-www-form-urlencoded': {
        schema: {
          type: 'object',
          ...(needed.length > 0 && { required: needed }),
          properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
        },
        encoding: Object.fromEntries(fields.flatMap(({ name, encoding }) => (encoding ? [[name, encoding]] : []))),
      },
    },
  }
}

interface Field {
  readonly name: string
  readonly required: boolean
  readonly schema: Part
  /** Null where it is the usual one. */
  readonly encoding: Part | null
}

function fieldOf({ $ref, ...inline }: Part, parameters: Components[string]): Field {
  const ref = $ref as string | undefined
  const { name, required, description, style, explode, schema } =
    ref === undefined ? inline : (parameters[ref.slice(parametersStart.length)] as Part)
  return {
    name: name as string,
    required: required === true,
    schema:
      ref === undefined
        ? { ...(schema as Part), ...(description !== undefined && { description }) }
        : { $ref: `${ref}/schema` },
    encoding: style === undefined ? null : { style, explode },
  }
}
