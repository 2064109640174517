import { memo } from '../model/memo.ts'
import type { Operation, RelationOperation } from '../request/operation.ts'
import type { Action } from '../schema/actions.ts'
import { lowerFirst, singularOf, upperFirst, wordsOf } from '../schema/naming.ts'
import { isToMany, type Relation } from '../schema/relation-kinds.ts'
import type { ResourceSchema, SchemaRegistry } from '../schema/resource-schema.ts'
import { operationsOf } from './audience.ts'
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
      key === 'parameters' ? part : { ...names.get((part as Part).operationId as string), ...withoutId(part as Part) },
    ]),
  )

const withoutId = ({ operationId: _, ...operation }: Part): Part => operation

/** Two operations never have one name: the second is told by its number. Those of types come before those of relations. */
function namesOf({ byType }: SchemaRegistry): Names {
  const names = new Map<string, Name>(Object.entries(serverNames))
  const taken = new Set(Object.values(serverNames).map(({ operationId }) => operationId))
  const all = [...byType.values()].flatMap(operationsOf)
  const isOfRelation = ([, operation]: (typeof all)[number]) => 'relation' in operation
  for (const [id, operation] of [...all.filter((each) => !isOfRelation(each)), ...all.filter(isOfRelation)]) {
    if (names.has(id)) continue
    const name = nameOf(operation)
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

/** The words for all of a type, and for one of them: each of its operations has them. */
const wordsFor = memo(({ type }: ResourceSchema) => ({ all: wordsOf(type), one: singularOf(type) }))
const relatedWords = memo(({ name }: Relation) => wordsOf(name))

function nameOf(operation: Operation): Name {
  const { all, one } = wordsFor(operation.schema)
  if ('action' in operation) return actionName(operation.action, { all, one })
  if ('relation' in operation) return relationName(operation, one)
  const { kind } = operation
  if (kind === 'viewAny') return named(`List ${all}`, 'list', all)
  if (kind === 'viewStats') return named(`Get statistics of ${all}`, 'get', one, 'statistics')
  const verb = verbs[kind]
  return named(`${upperFirst(verb)} ${withArticle(one)}`, verb, one)
}

const verbs = { create: 'create', view: 'get', update: 'update', delete: 'delete', forceDelete: 'delete' } as const

function relationName({ kind, relation }: RelationOperation, one: string): Name {
  const related = relatedWords(relation)
  const whose = `${withArticle(one)}'s ${related}`
  if (kind === 'attach') return named(`Add ${related} to ${withArticle(one)}`, 'add', one, related)
  if (kind === 'detach') return named(`Remove ${related} from ${withArticle(one)}`, 'remove', one, related)
  const [read, write] = isToMany(relation) ? ['list', 'replace'] : ['get', 'set']
  if (kind === 'viewRelated') return named(`${upperFirst(read)} ${whose}`, read, one, related)
  if (kind === 'updateRelationship') return named(`${upperFirst(write)} ${whose}`, write, one, related)
  return isToMany(relation)
    ? named(`List the ids of ${whose}`, 'list', one, singularOf(relation.name), 'ids')
    : named(`Get the id of ${whose}`, 'get', one, related, 'id')
}

/** `publish` is "Publish a post", and `resetPassword` "Reset password for a user". */
function actionName({ name, on }: Action, { all, one }: { readonly all: string; readonly one: string }): Name {
  const said = wordsOf(name)
  const isVerb = !said.includes(' ')
  const [what, target] = on === 'member' ? [withArticle(one), one] : [all, all]
  return named(`${upperFirst(said)} ${isVerb ? '' : 'for '}${what}`, said, isVerb ? '' : 'for', target)
}

const named = (summary: string, ...words: readonly string[]): Name => ({
  operationId: lowerFirst(
    words
      .flatMap((each) => each.split(' '))
      .map(upperFirst)
      .join(''),
  ),
  summary,
})

const withArticle = (words: string): string => `${vowel.test(words) ? 'an' : 'a'} ${words}`

/** As it is spoken: an answer, an hour; a user, a one-time code. */
const vowel = /^(?:[ai]|e(?!u)|o(?!ne\b|nce)|u(?!ni|s[aei]|til|rl|ui|uid)|hour|hono|heir)/
