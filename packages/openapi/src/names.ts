import { memo } from '@prismapi/jsonapi/model/memo'
import type { ActionOperation, Operation, RelationOperation } from '@prismapi/jsonapi/request/operation'
import type { Action } from '@prismapi/jsonapi/schema/actions'
import {
  capitalised,
  capitalsOf,
  lowerFirst,
  singularFor,
  singularOf,
  upperFirst,
  wordsOf,
} from '@prismapi/jsonapi/schema/naming'
import { isToMany, type Relation } from '@prismapi/jsonapi/schema/relation-kinds'
import { type ResourceSchema, type SchemaRegistry, targetSchemas } from '@prismapi/jsonapi/schema/resource-schema'
import { operationsOf } from './caller.ts'
import type { Part, Paths } from './described.ts'

/** What an operation is called: `listPosts`, "List posts". */
interface Name {
  readonly operationId: string
  readonly summary: string
}

type Names = ReadonlyMap<string, Name>

const made = new WeakMap<SchemaRegistry, Names>()

/** The paths with the names that clients read, in place of the ids by which a server knows its operations. */
export function withNames(schemas: SchemaRegistry, paths: Paths): Paths {
  const names = made.get(schemas) ?? namesOf(schemas)
  made.set(schemas, names)
  return Object.fromEntries(Object.entries(paths).map(([url, item]) => [url, namedItem(names, item)]))
}

const namedItem = (names: Names, item: Part): Part =>
  Object.fromEntries(
    Object.entries(item).map(([key, part]) => [
      key,
      key === 'parameters' ? part : { ...nameOf(names, key, part as Part), ...withoutId(part as Part) },
    ]),
  )

/** QUERY has the id of the GET that it stands for. */
function nameOf(names: Names, method: string, { operationId }: Part): Name | undefined {
  const name = names.get(operationId as string)
  return name && method === 'query' ? { ...name, operationId: `${name.operationId}_query` } : name
}

const withoutId = ({ operationId: _, ...operation }: Part): Part => operation

/**
 * Two operations never share a name: the second gets a number. Operations of types are named before those of relations.
 */
function namesOf(schemas: SchemaRegistry): Names {
  const names = new Map<string, Name>(Object.entries(serverNames))
  const taken = new Set(Object.values(serverNames).map(({ operationId }) => operationId))
  const nameIn = namesIn(schemas)
  const all = [...schemas.byType.values()].flatMap(operationsOf)
  const isOfRelation = ([, operation]: (typeof all)[number]) => 'relation' in operation
  for (const [id, operation] of [...all.filter((each) => !isOfRelation(each)), ...all.filter(isOfRelation)]) {
    if (names.has(id)) continue
    const name = nameIn(operation)
    let { operationId } = name
    for (let i = 2; taken.has(operationId); i++) operationId = `${name.operationId}${i}`
    taken.add(operationId)
    names.set(id, { ...name, operationId })
  }
  return names
}

const serverNames = {
  '-.root': { operationId: 'getStart', summary: 'Get the types and their URLs' },
  '-.openapi': { operationId: 'getOpenApi', summary: 'Get this document' },
  '-.operations': { operationId: 'runOperations', summary: 'Run several operations, all of them or none' },
}

/** The words for all of a type, for one of them, and for that one with its article. */
export interface TypeWords {
  readonly all: string
  readonly one: string
  readonly any: string
}

export const wordsFor = memo(({ type, model }: ResourceSchema): TypeWords => {
  const written = capitalsOf([model.name])
  const [all, one] = [capitalised(wordsOf(type), written), capitalised(singularFor(type, model.name), written)]
  return { all, one, any: withArticle(all === one ? `${one} record` : one) }
})

type NameOf = (operation: Operation) => Name
type TypeOperation = Exclude<Operation, RelationOperation | ActionOperation>

function namesIn(schemas: SchemaRegistry): NameOf {
  const written = capitalsOf(schemas.byModel.keys())
  const said = (name: string): string => capitalised(wordsOf(name), written)
  /** Relations are often called as the type that they lead to, or end so. */
  const oneOf = (relation: Relation): string => {
    const name = said(relation.name)
    const target = targetSchemas(schemas, relation)
      .map(wordsFor)
      .find(({ all }) => ` ${name}`.endsWith(` ${all}`))
    return target ? name.slice(0, name.length - target.all.length) + target.one : singularOf(relation.name)
  }
  return (operation) => {
    const words = wordsFor(operation.schema)
    if ('action' in operation) return actionName(operation.action, words, said)
    if (!('relation' in operation)) return typeName(operation, words)
    const { relation } = operation
    return relationName(operation, words, { related: said(relation.name), relatedOne: oneOf(relation) })
  }
}

function typeName({ kind }: TypeOperation, { all, one, any }: TypeWords): Name {
  if (kind === 'viewAny') return named(`List ${all}`, 'list', all)
  if (kind === 'viewStats') return named(`Get statistics of ${all}`, 'get', one, 'statistics')
  const verb = verbs[kind]
  return named(`${upperFirst(verb)} ${any}`, verb, one)
}

const verbs = { create: 'create', view: 'get', update: 'update', delete: 'delete', forceDelete: 'delete' } as const

interface RelationWords {
  readonly related: string
  /** One of what it leads to. */
  readonly relatedOne: string
}

function relationName(
  { kind, relation }: RelationOperation,
  { one, any }: TypeWords,
  { related, relatedOne }: RelationWords,
): Name {
  const whose = `${any}'s ${related}`
  if (kind === 'attach') return named(`Add ${related} to ${any}`, 'add', one, related)
  if (kind === 'detach') return named(`Remove ${related} from ${any}`, 'remove', one, related)
  const [read, write] = isToMany(relation) ? ['list', 'replace'] : ['get', 'set']
  if (kind === 'viewRelated') return named(`${upperFirst(read)} ${whose}`, read, one, related)
  if (kind === 'updateRelationship') return named(`${upperFirst(write)} ${whose}`, write, one, related)
  return isToMany(relation)
    ? named(`List the ids of ${whose}`, 'list', one, relatedOne, 'ids')
    : named(`Get the id of ${whose}`, 'get', one, related, 'id')
}

/** `publish` is "Publish a post", and `resetPassword` "Reset password for a user". */
function actionName({ name, on }: Action, { all, one, any }: TypeWords, say: (name: string) => string): Name {
  const said = say(name)
  const isVerb = !said.includes(' ')
  const [what, target] = on === 'member' ? [any, one] : [all, all]
  return named(`${upperFirst(said)} ${isVerb ? '' : 'for '}${what}`, said, isVerb ? '' : 'for', target)
}

const named = (summary: string, ...words: readonly string[]): Name => ({
  operationId: lowerFirst(
    words
      .flatMap((each) => each.split(' '))
      .map((word) => upperFirst(word.toLowerCase()))
      .join(''),
  ),
  summary,
})

const withArticle = (words: string): string => `${spelt.test(words) || vowel.test(words) ? 'an' : 'a'} ${words}`

/** As it is spoken: an answer, an hour; a user, a one-time code. */
const vowel = /^(?:[ai]|e(?!u)|o(?!ne\b|nce)|u(?!ni|s[aei]|til|rl|ui|uid)|hour|hono|heir)/
/** Letter by letter: an HTTP log, an XML file; a URL. */
const spelt = /^[AEFHILMNORSX][A-Z\d]/
