import type { Part as Json } from '@prismapi/openapi/described'
import { askedParts } from './asked-parts.ts'
import { announcementOf, answersOf, type DescribedApi, type DescribedOperation, sentTo } from './described-api.ts'
import { membersOf, toAnswerShape, toShape } from './shape.ts'
import { signInParts } from './sign-in-parts.ts'
import { api, keyOf, type Part, part } from './surface.ts'

/** The endpoints, what they demand and what they answer. */
export const endpointParts = (described: DescribedApi): readonly Part[] =>
  described.operations.flatMap((each) => partsOf(described, each))

function partsOf(described: DescribedApi, each: DescribedOperation): readonly Part[] {
  const { id, name, type, operation } = each
  const where = type ?? api
  const relation = /^[^.]+\.([^.-][^.]*)\.[^.]+$/.exec(id)?.[1]
  const within = keyOf(where, name)
  const endpoint = part({
    where,
    what: name,
    needs: relation === undefined ? [] : [keyOf(where, `relationship ${relation}`)],
    announcement: announcementOf(operation),
  })
  const demand = (what: string, needs: readonly string[] = []) =>
    part({ where, what: withoutIt(name, what), within, needs, isDemand: true })
  const { statuses, types } = answersOf(each, described)
  return [
    endpoint,
    ...demandsOf(described, each, demand),
    ...askedParts(described, each),
    ...signInParts(described, each),
    ...sentTo(each, described).types.map((media) => part({ where, what: `${name} takes ${media}`, within })),
    ...metaPart(described, each),
    ...answerPart(described, each),
    ...statuses.map((status) => part({ where, what: `${name} answered by ${status}`, within, direction: 'shown' })),
    ...types.map((media) => part({ where, what: `${name} answers ${media}`, within, direction: 'shown' })),
  ]
}

const withoutIt = (name: string, what: string): string => `${name} without ${what}`

type Demand = (what: string, needs?: readonly string[]) => Part

/** What a request cannot be without. */
function demandsOf(described: DescribedApi, each: DescribedOperation, demand: Demand): readonly Part[] {
  const { parameters, id } = each
  const headers = parameters.filter(({ required, in: place }) => required === true && place !== 'path')
  const { isRequired, schema } = sentTo(each, described)
  const data = /\.(?:create|update)$/.test(id) ? dataOf(schema, described.find) : null
  return [
    ...headers.map(({ name, in: place }) => demand(`${place === 'header' ? 'header ' : ''}${name}`)),
    ...(isRequired ? [demand('a document')] : []),
    ...(requiredOf(data).includes('id') ? [demand('id')] : []),
    ...['attribute', 'relationship'].flatMap((kind) => fieldDemands(each, data, { kind, demand })),
  ]
}

/** The fields of one kind that a resource has to be sent with, and where there are none, that it has to have any. */
function fieldDemands(
  { name, type }: DescribedOperation,
  data: Json | null,
  { kind, demand }: { readonly kind: string; readonly demand: Demand },
): readonly Part[] {
  const where = type ?? api
  const fields = requiredOf(memberOf(data, `${kind}s`)).map((field) => `${kind} ${field}`)
  const all = demand(
    `${kind}s`,
    fields.map((field) => keyOf(where, withoutIt(name, field))),
  )
  return [
    ...(requiredOf(data).includes(`${kind}s`) ? [all] : []),
    ...fields.map((field) => demand(field, [keyOf(where, field)])),
  ]
}

/** The `meta` of an action's document. */
function metaPart(described: DescribedApi, each: DescribedOperation): readonly Part[] {
  const { id, name, type } = each
  const where = type ?? api
  const { schema } = sentTo(each, described)
  const isAction = id.includes('.-actions.') || type === null
  if (!schema || !isAction) return []
  const shape = toShape(schema, described.find)
  return [part({ where, what: `document of ${name}`, within: keyOf(where, name), shape })]
}

/** Of those whose answers are not told by what they are about. */
function answerPart(described: DescribedApi, each: DescribedOperation): readonly Part[] {
  const { id, name, type } = each
  const { schema } = answersOf(each, described)
  if (!schema || type === null || !/\.viewAny$|\.-actions\./.test(id)) return []
  const shape = toAnswerShape(schema, described.find)
  return [part({ where: type, what: `answer to ${name}`, within: keyOf(type, name), direction: 'shown', shape })]
}

/** The `data` of a document's schema. */
export const dataOf = (schema: Json | null, find: DescribedApi['find']): Json | null =>
  schema && memberOf(typeof schema.$ref === 'string' ? find(schema.$ref) : schema, 'data')

export const memberOf = (schema: Json | null, name: string): Json | null =>
  (schema && membersOf(schema).find(([member]) => member === name)?.[1]) ?? null

const requiredOf = (schema: Json | null): readonly string[] => (schema?.required as readonly string[] | undefined) ?? []
