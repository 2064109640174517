import { isToMany } from '@prismapi/jsonapi/schema/relation-kinds'
import { type ResourceSchema, targetSchemas } from '@prismapi/jsonapi/schema/resource-schema'
import { groupedUrls } from '@prismapi/testing/internal/kit/leaks/stats-urls'
import { hiddenRows, schemasOf, shownRows, type World } from '@prismapi/testing/internal/kit/leaks/world'
import { randomFrom } from '@prismapi/testing/internal/kit/random'
import { distinctKeys, type Pool, poolOf } from '../readers/random-urls.ts'

const languages = ['de', 'fr, en;q=0.5', 'de-AT;q=0.9, fr;q=0.1', 'en', 'xx', '*']

/** What reads a world, at random: paths of every kind, with parameters of the type that they lead to. */
export class RandomReads {
  private readonly random: () => number
  private readonly world: World
  private readonly pools: ReadonlyMap<ResourceSchema, Pool>
  /** Are the URLs of hidden rows asked for: not where it is told that a row is refused. */
  private readonly asksForHidden: boolean

  constructor(world: World, seed: number, asksForHidden: boolean) {
    this.world = world
    this.random = randomFrom(seed)
    this.asksForHidden = asksForHidden
    this.pools = new Map(schemasOf(world).map((schema) => [schema, poolOf(world, schema)]))
  }

  readonly path = (): string => {
    const schema = this.pick([...this.pools.keys()])
    const way = this.random()
    if (way < 0.03) return this.pick(['', '/openapi.json', '/docs/-actions/open', '/none', `/${schema.type}/-stats`])
    if (way < 0.4) return this.withParameters(`/${schema.type}`, schema)
    if (way < 0.46 && schema.statistics) return this.withParameters(this.pick(groupedUrls(schema)), schema, 2)
    const member = this.member(schema)
    if (way < 0.49) return this.withParameters(`/changes?filter[resource]=${schema.type}:${this.id(schema)}`, schema, 0)
    if (way < 0.66 || schema.relations.size === 0) return this.withParameters(member, schema, 3)
    const relation = this.pick([...schema.relations.values()])
    const [target] = targetSchemas(this.world.server.schemas, relation)
    const below = `${member}/${way < 0.8 ? 'relationships/' : ''}${relation.name}`
    return this.withParameters(below, target as ResourceSchema, isToMany(relation) ? 3 : 2)
  }

  readonly headers = (): Readonly<Record<string, string>> => ({
    ...(this.random() < 0.3 && { 'Accept-Language': this.pick(languages) }),
    ...(this.random() < 0.03 && { 'If-None-Match': this.pick(['*', '"another"']) }),
    ...(this.random() < 0.02 && { Accept: this.pick(['application/json', 'text/plain', '*/*']) }),
  })

  /** A page for people: a collection, a resource, or what is below one. */
  readonly page = (): string => {
    const schema = this.pick([...this.pools.keys()])
    const way = this.random()
    if (way < 0.1) return ''
    if (way < 0.5) return this.withParameters(`/${schema.type}`, schema)
    const member = this.member(schema)
    if (way < 0.8 || schema.relations.size === 0) return member
    return `${member}/${way < 0.9 ? 'relationships/' : ''}${this.pick([...schema.relations.keys()])}`
  }

  private withParameters(path: string, schema: ResourceSchema, most = 4): string {
    const { parameters = [] } = this.pools.get(schema) ?? {}
    const chosen = Array.from({ length: Math.floor(this.random() * (most + 1)) }, () => this.pick(parameters))
    if (chosen.length === 0) return path
    return `${path}${path.includes('?') ? '&' : '?'}${distinctKeys(chosen).join('&')}`
  }

  private member(schema: ResourceSchema): string {
    return `/${schema.type}/${encodeURIComponent(this.id(schema))}`
  }

  private id(schema: ResourceSchema): string {
    const way = this.random()
    if (way < 0.03) return this.world.missing.get(schema.model.name) as string
    const rows = way < 0.35 && this.asksForHidden ? hiddenRows(this.world, schema) : shownRows(this.world, schema)
    return rows.length > 0 ? this.pick(rows).id : (this.world.missing.get(schema.model.name) as string)
  }

  private pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.random() * items.length)] as T
  }
}
