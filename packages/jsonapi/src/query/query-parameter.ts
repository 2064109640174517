import { JsonApiError } from '../document/error.ts'
import { badParameter } from '../document/errors.ts'
import { say } from '../document/text.ts'
import type { RequestUrl } from '../request/hook-context.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'
import { isMemberName, notAllowed, type Parameter, wellFormedParameters } from './parameters.ts'

/** What a query is about: enough to tell whether a parameter means something there. */
export interface ParameterSubject {
  /** Of the primary data; none where the answer shows no resources of its own. */
  readonly schemas: readonly ResourceSchema[]
  /** Is a collection read. */
  readonly isCollection: boolean
  /** Is it the URL of a relationship. */
  readonly isRelationship: boolean
}

/**
 * A query parameter of a feature, or a family of them: what stands before the first
 * bracket is one name. The server refuses the parameter with 400 where no feature
 * claims it, keeps it in the links of pages, and describes it in OpenAPI documents.
 *
 * @see https://jsonapi.org/format/#query-parameters-custom
 * @example
 * const timeZone: QueryParameter<string> = {
 *   name: 'timeZone',
 *   parse: (sent) => onlyValue(sent),
 *   openapi: { description: 'The zone of all times.', schema: { type: 'string' } },
 * }
 */
export interface QueryParameter<Value = unknown> {
  /** One character at least is none of a–z: JSON:API keeps the other names for itself. */
  readonly name: string
  /** Where it means something; left out, in all queries about resources. */
  readonly isAbout?: (subject: ParameterSubject) => boolean
  /**
   * What was sent, which is one parameter at least. It depends on nothing else, because queries are kept by their text.
   *
   * @throws {JsonApiError} 400, made by `badParameter` with the key of what is wrong.
   */
  parse(sent: readonly Parameter[]): Value
  /** The OpenAPI Parameter Object, without its `name` and `in`. */
  readonly openapi: Readonly<Record<string, unknown>>
}

/**
 * The value that a request sent of a parameter; null where it sent
 * none, or a wrong one: that the check of the query refuses.
 *
 * @throws {Error} what `parse` of the parameter throws, unless it is a `JsonApiError`.
 * @example
 * const zoneOf = (call: Call, timeZone: QueryParameter<string>) => sentValue(timeZone, call.at) ?? 'UTC'
 */
export function sentValue<Value>(parameter: QueryParameter<Value>, at: Pick<RequestUrl, 'search'>): Value | null {
  const sent = ofParameter(parameter, wellFormedParameters(at))
  if (sent.length === 0) return null
  try {
    return parameter.parse(sent)
  } catch (error) {
    if (error instanceof JsonApiError) return null
    throw error
  }
}

/**
 * The value of a parameter that has no brackets and stands once.
 *
 * @throws {JsonApiError} 400 for brackets, and for a second one.
 * @example
 * const parse: QueryParameter<string>['parse'] = (sent) => onlyValue(sent).toLowerCase()
 */
export function onlyValue(sent: readonly Parameter[]): string {
  const [first, again] = sent
  const bracketed = sent.find(({ path }) => path.length > 0)
  if (bracketed) throw notAllowed(bracketed.key)
  if (again) throw badParameter(again.key, say`Query parameter ${again.key} must not be repeated.`)
  return first?.value ?? ''
}

/** Those that mean something in a query. */
export const parametersFor = (all: readonly QueryParameter[], subject: ParameterSubject): readonly QueryParameter[] =>
  all.filter(({ isAbout = isAboutResources }) => isAbout(subject))

const isAboutResources = ({ schemas }: ParameterSubject): boolean => schemas.length > 0

/** What was sent of one of them. */
export const ofParameter = ({ name }: QueryParameter, sent: readonly Parameter[]): readonly Parameter[] =>
  sent.filter(({ family }) => family === name)

/**
 * @throws {Error} for a name that JSON:API or the framework keeps for itself, and for one that two features claim.
 */
export function checkParameterNames(all: readonly QueryParameter[], isTaken: (name: string) => boolean): void {
  const seen = new Set<string>()
  for (const { name } of all) {
    if (!isMemberName(name) || /^[a-z]*$/.test(name))
      throw new Error(
        `A feature has the query parameter ${JSON.stringify(name)}. Give it the name of a member with one character that is none of a–z, such as timeZone.`,
      )
    if (isTaken(name))
      throw new Error(
        `A feature has the query parameter ${name}, which means something else already. Give it another name.`,
      )
    if (seen.has(name)) throw new Error(`Two features have the query parameter ${name}. Rename it in one of them.`)
    seen.add(name)
  }
}
