import { all, equals, related, relationOf } from '@prismapi/jsonapi/condition/build'
import type { Awaitable } from '@prismapi/jsonapi/model/awaitable'
import type { ModelMeta, RelationMeta, Resources } from '@prismapi/jsonapi/model/meta'
import type { Row } from '@prismapi/jsonapi/model/where'
import type { Reader } from '../reader.ts'
import type { Delegates } from '../store.ts'
import { delegateOf } from './client.ts'

/** Whose links: those of a row by an implicit many-to-many relation. */
export interface LinksOf {
  readonly model: ModelMeta
  readonly relation: RelationMeta
  readonly row: Row
}

/** The rows of join tables, as a transaction changes them. */
export interface JoinRows {
  /** The ids of the linked rows, whether they may be seen or not. `onRead` gets each part, and may throw to end it. */
  linked(of: LinksOf, onRead?: (links: number) => void): Awaitable<readonly Row[]>
  /**
   * Links rows, those that are linked already among them.
   *
   * @throws {JsonApiError} 404 where one of them has gone.
   */
  link(of: LinksOf, targets: readonly Row[]): Promise<void>
  /** Ends links; those that there are not are left alone. */
  unlink(of: LinksOf, targets: readonly Row[]): Promise<void>
}

/** A transaction, by Prisma Client. */
interface Inside {
  readonly client: Delegates
  readonly reader: Reader
}

/** A link has two ends, and each of them is a value of a statement. */
const linksOfOperation = 250

/** Changes links by Prisma Client, which reads both ends of every one of them before. */
export function prismaJoinRows({ client, reader }: Inside, { models }: Pick<Resources, 'models'>): JoinRows {
  const targetOf = ({ relation }: LinksOf) => models[relation.model] as ModelMeta
  const change = async (verb: 'connect' | 'disconnect', of: LinksOf, targets: readonly Row[]) => {
    const { model, relation, row } = of
    const ids = targets.map((target) => keyOf(targetOf(of), target))
    for (let i = 0; i < ids.length; i += linksOfOperation)
      await delegateOf(client, model.name).update({
        where: keyOf(model, row),
        data: { [relation.name]: { [verb]: ids.slice(i, i + linksOfOperation) } },
        select: Object.fromEntries(model.key.map((column) => [column, true])),
      })
  }
  return {
    async linked(of, onRead) {
      const target = targetOf(of)
      const inverse = relationOf(target, of.relation.inverse as string)
      const where = related(inverse, 'some', all(...of.model.key.map((key) => equals(of.model, key, of.row[key]))))
      const found = await reader.read({
        kind: 'rows',
        model: target.name,
        columns: target.key,
        where,
        order: [],
        skip: 0,
        take: null,
      })
      onRead?.(found.length)
      return found
    },
    link: (of, targets) => change('connect', of, targets),
    unlink: (of, targets) => change('disconnect', of, targets),
  }
}

const keyOf = ({ key }: ModelMeta, row: Row): Row => Object.fromEntries(key.map((column) => [column, row[column]]))
