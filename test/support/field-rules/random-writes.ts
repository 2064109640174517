import { atomicExtension, upsertProfile } from '@prismapi/jsonapi/document/types'
import type { Row } from '@prismapi/jsonapi/model/where'
import { naturalKey } from '@prismapi/jsonapi/schema/natural-key'
import { isToMany, type Relation } from '@prismapi/jsonapi/schema/relation-kinds'
import { type ResourceSchema, targetSchemas } from '@prismapi/jsonapi/schema/resource-schema'
import { schemasOf, type World } from '@prismapi/testing/internal/kit/leaks/world'
import type { Send } from '../api.ts'
import { randomNumbers } from '../readers/random-rows.ts'

/** A request that may change something. */
export interface RandomWrite {
  readonly method: 'POST' | 'PATCH' | 'DELETE'
  /** Below the server's base path. */
  readonly path: string
  readonly send: Send
  /** Is it to name the version that its caller has seen. */
  readonly namesVersion: boolean
}

/**
 * Makes random writes of a world: of resources, relationships, operations, actions; most of them such that the server takes them. Some name
 * rows that are hidden: in linkage, and as what is written where `changesHidden` says so. `leaveOut` names attributes, `users.email`, whose
 * values are always new.
 */
export function randomWrites(
  world: World,
  seed: number,
  leaveOut: ReadonlySet<string>,
  changesHidden = false,
): () => RandomWrite {
  return new RandomWrites(world, seed, leaveOut, changesHidden).next
}

/** Whose documents are written most. */
const weights: Readonly<Record<string, number>> = { posts: 6, comments: 4, profiles: 2, videos: 2, users: 2, tags: 1 }

class RandomWrites {
  private readonly random: () => number
  private readonly types: readonly ResourceSchema[]
  private readonly world: World
  private readonly leaveOut: ReadonlySet<string>
  private readonly changesHidden: boolean
  private made = 0

  constructor(world: World, seed: number, leaveOut: ReadonlySet<string>, changesHidden: boolean) {
    this.world = world
    this.leaveOut = leaveOut
    this.changesHidden = changesHidden
    this.random = randomNumbers(seed)
    this.types = schemasOf(world).flatMap((schema) => Array.from({ length: weights[schema.type] ?? 1 }, () => schema))
  }

  readonly next = (): RandomWrite => {
    this.made += 1
    const schema = this.pick(this.types)
    const takesOperations = this.world.server.supportedExtensions.ext.includes(atomicExtension)
    const write = this.chosen([
      [4, () => this.create(schema)],
      [6, () => this.update(schema)],
      [1, () => this.write('DELETE', this.pathOf(schema))],
      [3, () => this.relationship(schema)],
      [takesOperations ? 5 : 0, () => this.operations()],
      [1, () => this.action(schema)],
    ])
    const headers = {
      ...(write.method === 'POST' && this.random() < 0.1 && { 'Idempotency-Key': `"key-${this.number(20)}"` }),
      ...(this.random() < 0.05 && { 'If-Match': this.pick(['*', '"another"']) }),
      ...write.send.headers,
    }
    return { ...write, send: { ...write.send, headers }, namesVersion: write.method !== 'POST' && this.random() < 0.3 }
  }

  private create(schema: ResourceSchema): RandomWrite {
    return this.write('POST', `/${schema.type}${this.query(schema)}`, { data: this.resource(schema, null) })
  }

  private update(schema: ResourceSchema): RandomWrite {
    const id = this.id(schema)
    const path = `/${schema.type}/${encodeURIComponent(id)}${this.query(schema)}`
    return this.write('PATCH', path, { data: this.resource(schema, id) })
  }

  private relationship(schema: ResourceSchema): RandomWrite {
    if (schema.relations.size === 0) return this.update(schema)
    const relation = this.pick([...schema.relations.values()])
    const method = isToMany(relation) ? this.pick(['PATCH', 'POST', 'DELETE'] as const) : 'PATCH'
    return this.write(method, `${this.pathOf(schema)}/relationships/${relation.name}`, { data: this.linkage(relation) })
  }

  private operations(): RandomWrite {
    const operations = Array.from({ length: 1 + this.number(3) }, (_, i) => this.operation(`lid-${i}`))
    const type = `application/vnd.api+json;ext="${atomicExtension}";profile="${upsertProfile}"`
    const headers = { Accept: type, 'Content-Type': type }
    const write = this.write('POST', '/operations', { 'atomic:operations': operations })
    return { ...write, send: { ...write.send, headers } }
  }

  private operation(lid: string): object {
    const schema = this.pick(this.types.filter(({ relations }) => relations.size > 0))
    const ref = { type: schema.type, id: this.id(schema) }
    return this.chosen<object>([
      [
        2,
        () => ({ op: 'add', data: { ...this.resource(schema, null), ...(schema.id.clientGenerated ? {} : { lid }) } }),
      ],
      [2, () => ({ op: 'update', data: this.resource(schema, null), meta: { upsert: { by: [this.key(schema)] } } })],
      [4, () => ({ op: 'update', data: this.resource(schema, ref.id) })],
      [1, () => ({ op: 'remove', ref })],
      [
        2,
        () => {
          const relation = this.pick([...schema.relations.values()])
          const op = isToMany(relation) ? this.pick(['add', 'update', 'remove']) : 'update'
          return { op, ref: { ...ref, relationship: relation.name }, data: this.linkage(relation) }
        },
      ],
    ])
  }

  private action(schema: ResourceSchema): RandomWrite {
    const action = [...schema.actions.values()].find(({ method }) => method !== 'GET')
    if (!action) return this.update(schema)
    const place = action.on === 'member' ? this.pathOf(schema) : `/${schema.type}`
    return this.write('POST', `${place}/-actions/${action.name}${this.query(schema)}`, { meta: {} })
  }

  /** Some of its fields; nearly all that it needs where it is new. */
  private resource(schema: ResourceSchema, id: string | null): object {
    const fields = [...schema.attributes.values()].filter(({ readOnly }) => !readOnly)
    const relations = [...schema.relations.values()]
    const takes = ({ isNullable }: { readonly isNullable: boolean }) =>
      this.random() < (id !== null ? 1.2 / fields.length : isNullable ? 0.2 : 0.97)
    const attributes = fields
      .filter((field) => takes(field) && !(field.name.startsWith('password') && id !== null))
      .map(({ name }) => [name, this.value(schema, name, id === null ? 0.85 : 0.5)] as const)
    const linked = relations
      .filter((relation) => this.random() < (id === null && relation.kind === 'morphTo' ? 0.97 : 0.15))
      .map((relation) => [relation.name, { data: this.linkage(relation) }] as const)
    return {
      type: schema.type,
      // Ids that are made at random would be others in each world.
      ...((id ?? schema.id.clientGenerated) && { id: id ?? this.newId(schema) }),
      attributes: Object.fromEntries(attributes),
      ...(linked.length > 0 && { relationships: Object.fromEntries(linked) }),
    }
  }

  /** Mostly what is new, often what a row has, in one of the worlds or in both. */
  private value(schema: ResourceSchema, name: string, newShare: number): unknown {
    if (name.startsWith('password')) return 'correct horse battery'
    const attribute = schema.attributes.get(name)
    const known = attribute ? this.rows(schema).map((row) => attribute.serialize(row)) : []
    const isNew = this.leaveOut.has(`${schema.type}.${name}`) || known.length === 0 || this.random() < newShare
    if (!isNew) return this.pick(known)
    const text = `${this.pick(['secret', 'sealed', 'new', 'new', 'new', 'new'])}-${this.made}`
    switch (attribute?.kind) {
      case 'string':
        if (name === 'email') return `${text}@example.org`
        return name === 'url' || name === 'website' ? `https://example.org/${text}` : text
      case 'boolean':
        return this.random() < 0.5
      case 'integer':
      case 'float':
        return this.number(5)
      case 'decimal':
        return `${this.number(50)}.5`
      default:
        return this.random() < 0.5 ? null : new Date(Date.UTC(2024, 0, 1 + this.number(20))).toISOString()
    }
  }

  private linkage(relation: Relation): unknown {
    const targets = targetSchemas(this.world.server.schemas, relation)
    const one = () => {
      const schema = this.pick(targets)
      return { type: schema.type, id: this.id(schema, true) }
    }
    if (!isToMany(relation)) return this.random() < 0.1 ? null : one()
    const all = Array.from({ length: this.number(3) }, one)
    return [...new Map(all.map((each) => [each.id, each])).values()]
  }

  private query(schema: ResourceSchema): string {
    if (this.random() < 0.6) return ''
    const names = [...schema.relations.keys()]
    return this.pick([
      `?include=${this.pick(names)}`,
      `?include=${this.pick(names)},${this.pick(names)}`,
      `?fields[${schema.type}]=${[...schema.attributes.keys()].slice(0, 3).join()}`,
    ])
  }

  private key(schema: ResourceSchema): string {
    const unique = [...schema.attributes.values()].filter(({ name }) => naturalKey(schema, [name]) !== null)
    return (unique.length > 0 ? this.pick(unique) : this.pick([...schema.attributes.values()])).name
  }

  private rows(schema: ResourceSchema): readonly Row[] {
    return this.world.shown.get(schema.model.name) ?? []
  }

  private id(schema: ResourceSchema, namesHidden = this.changesHidden): string {
    const missing = this.world.missing.get(schema.model.name) as string
    if (this.random() < 0.03) return missing
    const hidden = this.world.hidden.get(schema.model.name) ?? []
    if (namesHidden && hidden.length > 0 && this.random() < 0.2) return schema.id.format(this.pick(hidden).row)
    const rows = this.rows(schema)
    return rows.length > 0 ? schema.id.format(this.pick(rows)) : missing
  }

  private pathOf(schema: ResourceSchema): string {
    return `/${schema.type}/${encodeURIComponent(this.id(schema))}`
  }

  private newId({ id: { columns } }: ResourceSchema): string {
    if (columns.length > 1) return columns.map((_, i) => `n${this.made % 5}${i}`).join('_')
    return `00000000-0000-4000-9000-${String(this.made).padStart(12, '0')}`
  }

  private write(method: RandomWrite['method'], path: string, body?: object): RandomWrite {
    return { method, path, send: body ? { body } : {}, namesVersion: false }
  }

  private chosen<T>(ways: readonly (readonly [weight: number, make: () => T])[]): T {
    let left = this.random() * ways.reduce((sum, [weight]) => sum + weight, 0)
    for (const [weight, make] of ways) {
      left -= weight
      if (left < 0) return make()
    }
    throw new Error('There is no way left.')
  }

  private number(below: number): number {
    return Math.floor(this.random() * below)
  }

  private pick<T>(items: readonly T[]): T {
    return items[this.number(items.length)] as T
  }
}
