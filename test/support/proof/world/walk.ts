import { isDeepStrictEqual } from 'node:util'
import type { CompiledServer } from '@prismapi/core/server/compile'
import type { ColumnMeta, ModelMeta } from '@prismapi/jsonapi/model/meta'
import { isToMany, type Relation } from '@prismapi/jsonapi/schema/relation-kinds'
import {
  type Attribute,
  isKeyAttribute,
  type ResourceSchema,
  targetSchemas,
} from '@prismapi/jsonapi/schema/resource-schema'
import { checkAssertion, parseAssertion, type Verdict } from '@prismapi/proof/assertion'
import type { PolicyModel } from '@prismapi/proof/model/policy-model'
import type { Prover } from '@prismapi/proof/prover'
import { randomFrom } from '@prismapi/testing/internal/kit/random'

// Random writes of random callers, and whether the proofs know of all that they change.

/** Columns by Prisma's names. */
export type WorldRow = Readonly<Record<string, unknown>>
/** The rows of each model. */
export type Snapshot = ReadonlyMap<string, readonly WorldRow[]>

export interface WorldRequest {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly ext?: string
}

/** An application with a database, and what is proven of it. */
export interface Walkable<User> {
  readonly prover: Prover
  readonly server: Pick<CompiledServer, 'schemas' | 'name'>
  /** Who asks, null for a guest: with the claims that `authenticate` gives. */
  readonly callers: readonly User[]
  /** The status of the answer, of a path below the server's. */
  ask(request: WorldRequest, caller: User): Promise<number>
  rows(): Promise<Snapshot>
  /** Puts rows back as they were at the beginning. */
  reset(): Promise<void>
}

export interface WalkTally {
  requests: number
  /** Rows that were changed, made or removed. */
  changes: number
  /** Of sentences about rows that nothing was done to: how many there were, and how many hold. */
  asked: number
  held: number
  /** Changes of which a proof says that they never happen. */
  readonly faults: string[]
}

export const newTally = (): WalkTally => ({ requests: 0, changes: 0, asked: 0, held: 0, faults: [] })

interface Walking {
  readonly seed: number
  readonly requests: number
  readonly policies: PolicyModel
  readonly tally: WalkTally
}

type Claims = object | null

export type Roll = () => number
export const pick = <T>(roll: Roll, list: readonly T[]): T => list[Math.floor(roll() * list.length)] as T

/** Whatever changes a row of which `policies assert` says that the caller never changes it is a fault. */
export async function walk<User extends Claims>(world: Walkable<User>, walking: Walking): Promise<void> {
  await new Walk(world, walking).run()
}

class Walk<User extends Claims> {
  private readonly world: Walkable<User>
  private readonly walking: Walking
  private readonly roll: Roll
  private readonly verdicts = new Map<string, Promise<Verdict>>()

  constructor(world: Walkable<User>, walking: Walking) {
    this.world = world
    this.walking = walking
    this.roll = randomFrom(walking.seed)
  }

  async run(): Promise<void> {
    const { world, roll } = this
    const { requests, tally, seed } = this.walking
    let before = await world.rows()
    for (let n = 0; n < requests; n++) {
      const caller = pick(roll, world.callers)
      const request = this.randomRequest(before)
      const status = await world.ask(request, caller)
      tally.requests++
      const after = status < 300 ? await world.rows() : before
      const changes = this.changesBetween(before, after)
      for (const change of changes) {
        tally.changes++
        const verdicts = await this.verdictsOn(change, before, caller)
        if (verdicts.every(({ holds }) => holds === true))
          tally.faults.push(
            `seed ${seed}: ${JSON.stringify(caller)} did what is never done, ${change.did} of ${change.model.name} ${textOf(change.row)}${change.now ? ` to ${textOf(change.now)}` : ''}, by ${request.method} ${request.path} ${textOf(request.body)}`,
          )
      }
      if (n % 8 === 0) await this.sample(before, caller)
      before = after
      if (changes.length === 0 || roll() > 0.3) continue
      await world.reset()
      before = await world.rows()
    }
  }

  /** How often a sentence holds: a proof that never says so would be right, too. */
  private async sample(rows: Snapshot, caller: User): Promise<void> {
    const { model } = pick(this.roll, this.schemas())
    const row = pick(this.roll, rows.get(model.name) ?? [])
    if (!row) return
    const [verdict] = await this.verdictsOn({ did: 'update', model, row }, rows, caller)
    this.walking.tally.asked++
    if (verdict?.holds === true) this.walking.tally.held++
  }

  private schemas(): readonly ResourceSchema[] {
    return [...this.world.server.schemas.byType.values()]
  }

  /** What is proven of a change, by each of the names that it may have. */
  private async verdictsOn({ did, model, row }: Change, rows: Snapshot, caller: User): Promise<readonly Verdict[]> {
    const { claims } = this.world.prover.app.userType
    const role = Object.entries(claims).find(([, { kind }]) => kind === 'values')?.[0]
    const who = caller === null ? 'guest' : role === undefined ? 'user' : claimOf(caller, role)
    const where = did === 'create' ? '' : ` where ${JSON.stringify(this.whereOf(model, row, rows, caller))}`
    const verdicts: Verdict[] = []
    // One after the other: a proof has its own clock, which is everybody's meanwhile.
    for (const name of this.namesOf(did, model, row))
      verdicts.push(await this.verdict(`${who} never ${name} ${model.name}${where}`))
    return verdicts
  }

  private namesOf(did: Change['did'], { name }: ModelMeta, row: WorldRow): readonly string[] {
    const { deletedAt = null } = this.world.server.schemas.byModel.get(name) ?? {}
    if (did === 'mark') return ['delete', 'update']
    return [did === 'delete' && deletedAt !== null && row[deletedAt] != null ? 'forceDelete' : did]
  }

  private verdict(sentence: string): Promise<Verdict> {
    const known = this.verdicts.get(sentence) ?? this.check(sentence)
    this.verdicts.set(sentence, known)
    return known
  }

  private async check(sentence: string): Promise<Verdict> {
    try {
      return await checkAssertion(this.world.prover, this.walking.policies, parseAssertion(sentence))
    } catch (error) {
      // An action that the type does not have never happens.
      if (/^There is no action of /.test((error as Error).message)) return { holds: true }
      throw error
    }
  }

  /** As much of the row as a sentence can say, so that it says it of as few others as may be. */
  private whereOf(model: ModelMeta, row: WorldRow, rows: Snapshot, caller: Claims, depth = 1): object {
    const { app, now } = this.world.prover
    const { userType, resources } = app
    const parts: object[] = []
    const isCallers = (column: string, claim: string) => {
      if (caller !== null && userType.claims[claim]?.kind === 'symbol')
        parts.push({
          [column]: String(row[column]) === claimOf(caller, claim) ? { user: claim } : { not: { user: claim } },
        })
    }
    for (const column of Object.values(model.columns)) {
      const told = columnWhere(column, row[column.name], now)
      if (told) parts.push(told)
      else if (model.name === userType.model && userType.claims[column.name]?.kind === 'values')
        parts.push({ [column.name]: row[column.name] })
    }
    if (model.name === userType.model) for (const name of model.key) isCallers(name, name)
    for (const { name, model: target, foreignKey } of Object.values(model.relations)) {
      const [column, ...more] = foreignKey?.columns ?? []
      const reference = foreignKey?.references[0] as string
      if (column === undefined || more.length > 0) continue
      if (row[column] == null) {
        parts.push({ [column]: null })
        continue
      }
      if (target === userType.model) isCallers(column, reference)
      // Where callers are no rows, any of their claims may be a key.
      if (userType.model === null) for (const claim of Object.keys(userType.claims)) isCallers(column, claim)
      if (model.columns[column]?.isNullable) parts.push({ [column]: { not: null } })
      const behind = (rows.get(target) ?? []).find((each) => each[reference] === row[column])
      if (behind && depth > 0)
        parts.push({
          [name]: { is: this.whereOf(resources.models[target] as ModelMeta, behind, rows, caller, depth - 1) },
        })
    }
    return { AND: parts }
  }

  private changesBetween(before: Snapshot, after: Snapshot): readonly Change[] {
    return this.schemas().flatMap(({ model, deletedAt, version }): readonly Change[] => {
      const told = ({ [version?.column ?? '']: _, ...row }: WorldRow) =>
        Object.fromEntries(Object.entries(row).filter(([name]) => !model.columns[name]?.isUpdatedAt))
      const keyOf = (row: WorldRow) => JSON.stringify(model.key.map((name) => String(row[name])))
      const byKey = (rows: Snapshot) => new Map((rows.get(model.name) ?? []).map((row) => [keyOf(row), row]))
      const [was, is] = [byKey(before), byKey(after)]
      const made = [...is].filter(([key]) => !was.has(key)).map(([, row]) => ({ did: 'create', model, row }) as const)
      const others = [...was].flatMap(([key, row]): readonly Change[] => {
        const now = is.get(key)
        if (!now) return [{ did: 'delete', model, row }]
        if (isDeepStrictEqual(told(row), told(now))) return []
        const isMarked =
          deletedAt !== null &&
          row[deletedAt] == null &&
          now[deletedAt] != null &&
          isDeepStrictEqual(told({ ...row, [deletedAt]: null }), told({ ...now, [deletedAt]: null }))
        return [{ did: isMarked ? 'mark' : 'update', model, row, now }]
      })
      return [...made, ...others]
    })
  }

  private randomRequest(rows: Snapshot): WorldRequest {
    const { roll } = this
    const schema = pick(roll, this.schemas())
    const id = this.randomId(schema, rows)
    const at = `/${schema.type}/${encodeURIComponent(id)}`
    const action = schema.actions.size > 0 && roll() < 0.2 ? pick(roll, [...schema.actions.values()]) : null
    if (action && action.method !== 'GET') {
      const place = action.on === 'member' ? at : `/${schema.type}`
      return { method: action.method, path: `${place}/-actions/${action.name}`, body: { meta: {} } }
    }
    const kind = roll()
    if (kind < 0.3) return { method: 'PATCH', path: at, body: { data: this.resource(schema, rows, id) } }
    if (kind < 0.45)
      return { method: 'POST', path: `/${schema.type}`, body: { data: this.resource(schema, rows, null) } }
    if (kind < 0.57) return { method: 'DELETE', path: at }
    if (kind < 0.67) {
      const op = roll() < 0.6 ? 'update' : 'add'
      const body = { 'atomic:operations': [{ op, data: this.resource(schema, rows, op === 'update' ? id : null) }] }
      return { method: 'POST', path: '/operations', body, ext: 'https://jsonapi.org/ext/atomic' }
    }
    const relations = [...schema.relations.values()].filter(({ readOnly }) => !readOnly)
    if (relations.length === 0) return { method: 'DELETE', path: at }
    const relation = pick(roll, relations)
    const method = isToMany(relation) ? pick(roll, ['PATCH', 'POST', 'DELETE']) : 'PATCH'
    return { method, path: `${at}/relationships/${relation.name}`, body: { data: this.linkage(relation, rows, false) } }
  }

  private resource(schema: ResourceSchema, rows: Snapshot, id: string | null): object {
    const { roll } = this
    const isNew = id === null
    const model = rows.get(schema.model.name) ?? []
    const attributes: Record<string, unknown> = {}
    for (const attribute of schema.attributes.values()) {
      if (attribute.readOnly || (isKeyAttribute(schema, attribute) && !isNew)) continue
      if (attribute.isRequired && isNew ? true : roll() < 0.25)
        attributes[attribute.name] = this.value(attribute, model)
    }
    const relationships: Record<string, unknown> = {}
    for (const relation of schema.relations.values()) {
      const isRequired = isNew && relation.kind === 'belongsTo' && !relation.isNullable
      if (!relation.readOnly && (isRequired || roll() < 0.3))
        relationships[relation.name] = { data: this.linkage(relation, rows, isRequired) }
    }
    return { type: schema.type, ...(id !== null && { id }), attributes, relationships }
  }

  /** That of some other row, or a new text. */
  private value(attribute: Attribute, rows: readonly WorldRow[]): unknown {
    const { roll } = this
    const row = pick(roll, rows)
    const value = row ? attribute.serialize(row) : null
    if (attribute.kind === 'string' && (roll() < 0.5 || attribute.writeOnly)) return `text-${Math.floor(roll() * 1e6)}`
    return value instanceof Date ? value.toISOString() : value
  }

  private linkage(relation: Relation, rows: Snapshot, isRequired: boolean): unknown {
    const { roll } = this
    const targets = targetSchemas(this.world.server.schemas as never, relation)
    const one = () => {
      const target = pick(roll, targets)
      return { type: target.type, id: this.randomId(target, rows) }
    }
    if (!isToMany(relation)) return !isRequired && roll() < 0.2 ? null : one()
    const many = Array.from({ length: Math.floor(roll() * 3) }, one)
    return [...new Map(many.map((each) => [each.id, each])).values()]
  }

  private randomId(schema: ResourceSchema, rows: Snapshot): string {
    const row = pick(this.roll, rows.get(schema.model.name) ?? [])
    return row ? schema.id.format(row) : '1'
  }
}

interface Change {
  /** `mark`: it was deleted softly. */
  readonly did: 'create' | 'update' | 'delete' | 'mark'
  readonly model: ModelMeta
  /** As it was before, or is now where it is new. */
  readonly row: WorldRow
  /** As it is now, where it is still there. */
  readonly now?: WorldRow
}

const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? String(each) : each)) ?? ''

const claimOf = (caller: object, claim: string): string => String((caller as WorldRow)[claim])

const hour = 3_600_000

/** What few values there are to tell of a column; null where there are many. */
function columnWhere(
  { name, type, isEnum, isList, isNullable }: ColumnMeta,
  value: unknown,
  now: number,
): object | null {
  if (isList || value === undefined) return null
  if (type === 'Boolean' || isEnum) return { [name]: value }
  if (type !== 'DateTime' || !isNullable) return null
  if (value === null) return { [name]: null }
  // The time goes on while the rows are changed.
  const since = Number(value) - now
  if (Math.abs(since) < hour) return { [name]: { not: null } }
  return { [name]: since < 0 ? { lt: { now: 0 } } : { gt: { now: 0 } } }
}
