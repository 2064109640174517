import type { AnyRules } from '@prismapi/core/auth/policy'
import type { SchemaClass } from '@prismapi/jsonapi/schema/schema'
import type { UserType } from '@prismapi/proof/model/persona'
import { randomFrom } from '@prismapi/testing/internal/kit/random'
import { Policy, ResourceRequest, Schema, Server } from 'prismapi'
import type { RequestClasses } from 'prismapi/rules'
import type { PolicyClass, ServerParts } from 'prismapi/types'
import type { WorldProvider } from './in-process-client.ts'
import { pick, type Roll, type Snapshot, type WorldRow } from './walk.ts'

// Applications of four models by the dice: relations of all kinds, what becomes of rows when others go, rules for three kinds of
// callers.

export interface WorldUser {
  readonly id: number
  readonly role: 'MEMBER' | 'ADMIN'
}

export const callers: readonly (WorldUser | null)[] = [
  null,
  { id: 1, role: 'MEMBER' },
  { id: 2, role: 'MEMBER' },
  { id: 3, role: 'ADMIN' },
]

export const userType: UserType = {
  model: 'User',
  claims: {
    id: { kind: 'symbol', type: 'Int', isNullable: false },
    role: { kind: 'values', values: ['MEMBER', 'ADMIN'] },
  },
}

/** A foreign key of a model. */
export interface Key {
  readonly name: string
  readonly target: string
  /** The relation back. */
  readonly back: string
  readonly isNullable: boolean
  readonly isUnique: boolean
  readonly onDelete: 'Cascade' | 'SetNull' | 'Restrict'
}

export interface ModelSpec {
  readonly name: string
  readonly keys: readonly Key[]
  readonly isSoft: boolean
  /** Its id is its two keys. */
  readonly isPivot: boolean
}

export interface RandomApplication {
  readonly seed: number
  readonly models: readonly ModelSpec[]
  readonly schema: string
  readonly tables: readonly string[]
  readonly parts: ServerParts
  readonly policies: ReadonlyMap<string, PolicyClass>
}

export function randomApplication(seed: number, provider: WorldProvider): RandomApplication {
  const roll = randomFrom(seed)
  const models = randomModels(roll)
  return {
    ...{ seed, models },
    schema: schemaText(models, provider),
    tables: [
      ...models.map((model) => tableOf(model, provider)),
      ...(provider === 'postgresql' ? models.flatMap(foreignKeysOf) : []),
    ],
    ...randomClasses(models, roll),
  }
}

function randomModels(roll: Roll): readonly ModelSpec[] {
  const names = ['User', 'Aa', 'Bb', 'Cc']
  const isJoined = roll() < 0.35
  const key = (from: string, n: number, target: string, isPivot: boolean): Key => {
    const isNullable = !isPivot && roll() < 0.6
    const isUnique = !isPivot && roll() < 0.2
    return {
      ...{ name: `k${n}`, target, isNullable, isUnique },
      back: `${from.toLowerCase()}K${n}`,
      onDelete: pick(roll, isNullable ? ['Cascade', 'SetNull', 'Restrict'] : ['Cascade', 'Restrict']),
    }
  }
  return names.map((name, i): ModelSpec => {
    if (name === 'Cc' && isJoined) {
      const ends = ['Aa', pick(roll, ['Bb', 'User'])]
      return { name, isSoft: false, isPivot: true, keys: ends.map((end, n) => key(name, n, end, true)) }
    }
    // What others link by its id alone may be linked here: a join model has none.
    const targets = names.filter((each) => !(each === 'Cc' && isJoined))
    const count = i === 0 ? Math.floor(roll() * 2) : 1 + Math.floor(roll() * 2)
    const toUsers = i > 0 && roll() < 0.6
    const keys = Array.from({ length: count }, (_, n) =>
      key(name, n, n === 0 && toUsers ? 'User' : pick(roll, i === 0 ? targets.slice(1) : targets), false),
    )
    // Of users there has to be a first one.
    const safe = i === 0 ? keys.map((each) => ({ ...each, isNullable: true })) : keys
    return { name, keys: safe, isSoft: i > 0 && roll() < 0.25, isPivot: false }
  })
}

function schemaText(models: readonly ModelSpec[], provider: WorldProvider): string {
  const text = models.map(({ name, keys, isSoft, isPivot }) => {
    const back = models.flatMap((from) =>
      from.keys
        .filter(({ target }) => target === name)
        .map((each) => `  ${each.back} ${from.name}${each.isUnique ? '?' : '[]'} @relation("${each.back}")`),
    )
    return [
      `model ${name} {`,
      ...(isPivot ? [] : ['  id Int @id @default(autoincrement())']),
      ...(name === 'User' ? ['  role String @default("MEMBER")'] : []),
      '  title String @default("")',
      '  open Boolean @default(true)',
      ...(isSoft ? ['  deletedAt DateTime?'] : []),
      ...keys.flatMap((each) => {
        const may = each.isNullable ? '?' : ''
        const relation = `@relation("${each.back}", fields: [${each.name}Id], references: [id], onDelete: ${each.onDelete}, onUpdate: NoAction)`
        return [
          `  ${each.name}Id Int${may}${each.isUnique ? ' @unique' : ''}`,
          `  ${each.name} ${each.target}${may} ${relation}`,
        ]
      }),
      ...back,
      ...(isPivot ? [`  @@id([${keys.map((each) => `${each.name}Id`).join(', ')}])`] : []),
      '}',
    ].join('\n')
  })
  return [
    'generator client {\n  provider = "prisma-client"\n  output = "./generated"\n}',
    `datasource db {\n  provider = "${provider}"\n}`,
    ...text,
  ].join('\n\n')
}

/** The foreign keys are added when all tables and rows are there. */
function tableOf({ name, keys, isSoft, isPivot }: ModelSpec, provider: WorldProvider): string {
  const isPostgres = provider === 'postgresql'
  const id = isPostgres
    ? '"id" integer PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (START 100)'
    : '"id" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL'
  const columns = [
    ...(isPivot ? [] : [id]),
    ...(name === 'User' ? [`"role" text NOT NULL DEFAULT 'MEMBER'`] : []),
    `"title" text NOT NULL DEFAULT ''`,
    `"open" boolean NOT NULL DEFAULT true`,
    ...(isSoft ? [`"deletedAt" ${isPostgres ? 'timestamp(3)' : 'DATETIME'}`] : []),
    ...keys.map(
      (each) => `"${each.name}Id" integer${each.isNullable ? '' : ' NOT NULL'}${each.isUnique ? ' UNIQUE' : ''}`,
    ),
    ...(isPivot ? [`PRIMARY KEY (${keys.map((each) => `"${each.name}Id"`).join(', ')})`] : []),
    // PostgreSQL takes a key only when the table that it leads to is there.
    ...(isPostgres ? [] : keys.map(foreignKey)),
  ]
  return `CREATE TABLE "${name}" (${columns.join(', ')})`
}

const foreignKey = ({ name, target, onDelete }: ModelSpec['keys'][number]): string => {
  const sql = { Cascade: 'CASCADE', SetNull: 'SET NULL', Restrict: 'RESTRICT' }
  return `FOREIGN KEY ("${name}Id") REFERENCES "${target}" ("id") ON DELETE ${sql[onDelete]}`
}

const foreignKeysOf = ({ name, keys }: ModelSpec): readonly string[] =>
  keys.map((key) => `ALTER TABLE "${name}" ADD ${foreignKey(key)}`)

/** A condition on rows of a model, for a caller. */
type Where = (user: WorldUser | null) => object

function randomWhere(model: ModelSpec, models: readonly ModelSpec[], roll: Roll, depth = 1): Where {
  const keys = model.keys
  const toUser = keys.filter(({ target }) => target === 'User')
  const choices: (() => Where)[] = [
    () => () => ({}),
    () => () => ({ open: true }),
    () => () => ({ open: false }),
    ...(model.name === 'User' ? [() => (user: WorldUser | null) => ({ id: user?.id ?? -1 })] : []),
    ...toUser.flatMap(({ name }) => {
      const own: Where = (user) => ({ [`${name}Id`]: user?.id ?? -1 })
      return [() => own, () => own, () => own]
    }),
    ...keys
      .filter(({ isNullable }) => isNullable)
      .map(({ name }) => () => () => ({ [`${name}Id`]: null })),
  ]
  if (depth > 0) {
    for (const { name, target } of keys) {
      const inner = () => randomWhere(models.find((each) => each.name === target) as ModelSpec, models, roll, depth - 1)
      choices.push(() => {
        const where = inner()
        return (user) => ({ [name]: { is: where(user) } })
      })
    }
    for (const from of models)
      for (const { target, back, isUnique } of from.keys.filter(
        (each) => each.target === model.name && !each.isUnique,
      )) {
        if (target !== model.name || isUnique) continue
        choices.push(() => {
          const where = randomWhere(from, models, roll, depth - 1)
          const quantifier = pick(roll, ['some', 'none'])
          return (user) => ({ [back]: { [quantifier]: where(user) } })
        })
      }
  }
  return pick(roll, choices)()
}

interface RandomRule {
  readonly isFor: (user: WorldUser | null) => boolean
  readonly isInverted: boolean
  readonly actions: readonly string[]
  readonly fields: readonly string[] | null
  readonly where: Where | null
}

const typed = new Set(['create', 'viewTrashed'])

function randomRules(model: ModelSpec, models: readonly ModelSpec[], roll: Roll): readonly RandomRule[] {
  const own = model.keys.map(({ name }) => name)
  const suffix = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)
  const many = models.flatMap((from) =>
    from.keys.filter(({ target, isUnique }) => target === model.name && !isUnique).map(({ back }) => back),
  )
  const one = models.flatMap((from) =>
    from.keys.filter(({ target, isUnique }) => target === model.name && isUnique).map(({ back }) => back),
  )
  const actions = [
    ...['update', 'update', 'update', 'update', 'delete', 'delete', 'create', 'create', 'forceDelete'],
    ...(model.isSoft ? ['viewTrashed'] : []),
    ...own.map((name) => `update${suffix(name)}`),
    ...one.map((name) => `update${suffix(name)}`),
    ...many.flatMap((name) => ['update', 'attach', 'detach'].map((verb) => verb + suffix(name))),
  ]
  const who = [
    (user: WorldUser | null) => user === null,
    (user: WorldUser | null) => user !== null,
    (user: WorldUser | null) => user !== null,
    (user: WorldUser | null) => user?.role === 'MEMBER',
    (user: WorldUser | null) => user?.role === 'ADMIN',
    (user: WorldUser | null) => user?.role === 'ADMIN',
  ]
  return Array.from({ length: 4 + Math.floor(roll() * 7) }, () => {
    const action = pick(roll, actions)
    const fields = action === 'update' && roll() < 0.2 ? [pick(roll, ['title', 'open', ...own, ...many, ...one])] : null
    return {
      isFor: pick(roll, who),
      isInverted: roll() < 0.15,
      actions: [action],
      fields,
      where: typed.has(action) ? null : randomWhere(model, models, roll),
    }
  })
}

function policyOf(rules: readonly RandomRule[]): PolicyClass {
  return class extends Policy {
    override abilities({ can, cannot }: AnyRules, user: unknown) {
      can(this.reads as never)
      for (const { isFor, isInverted, actions, fields, where } of rules) {
        if (!isFor(user as WorldUser | null)) continue
        const about = [...(fields ? [fields] : []), ...(where ? [where(user as WorldUser | null)] : [])]
        ;(isInverted ? cannot : can)(actions, ...(about as []))
      }
    }
  } as never
}

function randomClasses(models: readonly ModelSpec[], roll: Roll) {
  const schemas = new Map<string, SchemaClass>()
  const requests = new Map<string, RequestClasses>()
  const policies = new Map<string, PolicyClass>()
  for (const model of models) {
    const backs = models.flatMap((from) =>
      from.keys.filter(({ target }) => target === model.name).map((each) => ({ ...each, isPivot: from.isPivot })),
    )
    const said = backs
      .filter(({ isPivot }) => !isPivot)
      .map(({ back, isNullable, isUnique }) => ({
        back,
        isOpen: roll() < 0.25,
        isReadOnly: roll() < 0.1,
        deletes: !isNullable && !isUnique && roll() < 0.4,
      }))
    schemas.set(
      model.name,
      class extends Schema {
        override readonly softDelete = (model.isSoft ? 'deletedAt' : undefined) as never
        override fields() {
          return said
            .filter(({ isOpen, isReadOnly, deletes }) => isOpen || isReadOnly || deletes)
            .map(({ back, isOpen, isReadOnly, deletes }) => {
              const relation = this.relation(back as never)
              if (isReadOnly) relation.asReadOnly()
              if (isOpen) relation.withoutUpdatePolicy()
              if (deletes) relation.deleteOnDetach()
              return relation
            })
        }
      } as never,
    )
    if (roll() < 0.92) policies.set(model.name, policyOf(randomRules(model, models, roll)))
    if (roll() < 0.15) {
      const answers = [pick(roll, [true, false, null]), pick(roll, [true, false, null])]
      class Deciding extends ResourceRequest {
        override authorize() {
          return (this.user as unknown as WorldUser | null)?.role === 'ADMIN'
            ? (answers[0] ?? null)
            : (answers[1] ?? null)
        }
      }
      requests.set(model.name, { request: Deciding as never, query: null, collectionQuery: null })
    }
  }
  const scoped = roll() < 0.2 ? pick(roll, models.slice(1)).name : null
  class Random extends Server {
    override readonly name = 'v1'
    override serving(phase: { scope(model: string, where: object): void }) {
      if (scoped !== null) phase.scope(scoped, { open: true })
    }
  }
  const parts: ServerParts = { server: Random as never, schemas, authorizers: new Map(), requests }
  return { parts, policies }
}

/** Four users, the last of whom nobody is, and some rows of each model. */
export function randomRows({ models, seed }: RandomApplication): Snapshot {
  const roll = randomFrom(seed)
  const many = 4
  const rows = new Map<string, readonly WorldRow[]>()
  for (const { name, keys, isSoft, isPivot } of models) {
    const made = new Map<string, WorldRow>()
    for (let id = 1; id <= many; id++) {
      const columns = keys.map((key) => {
        const target = key.isUnique ? id : 1 + Math.floor(roll() * many)
        return [`${key.name}Id`, key.isNullable && roll() < 0.3 ? null : target] as const
      })
      made.set(isPivot ? JSON.stringify(columns) : `${id}`, {
        ...(!isPivot && { id }),
        ...(name === 'User' && { role: id === 3 ? 'ADMIN' : 'MEMBER' }),
        ...{ title: `${name} ${id}`, open: roll() < 0.5 },
        ...(isSoft && { deletedAt: roll() < 0.2 ? '2026-01-01T00:00:00.000+00:00' : null }),
        ...Object.fromEntries(columns),
      })
    }
    rows.set(name, [...made.values()])
  }
  return rows
}
