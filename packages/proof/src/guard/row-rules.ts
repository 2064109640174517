import { policyFile } from '@prismapi/core/auth/policy'
import { joinTable, quotedTable } from '@prismapi/core/database/tables'
import type { CompiledServer } from '@prismapi/core/server/compile'
import type { ModelMeta } from '@prismapi/jsonapi/model/meta'
import { isKeptElsewhere, isToMany, type Relation } from '@prismapi/jsonapi/schema/relation-kinds'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { always, either, type Formula, never, reasonsIn } from '../formula.ts'
import { type Persona, personaKey, personaName, personasOf, type UserType } from '../model/persona.ts'
import { type Entry, policyModel, seenRows } from '../model/policy-model.ts'
import { eitherRuled } from './callers.ts'

/** What one kind of caller may do with the rows of a table, by way of one server. */
export interface Ruled {
  readonly server: string
  readonly persona: Persona
  readonly formula: Formula
}

/** Who may do what with the rows of one model. */
export interface RowRules {
  readonly model: ModelMeta
  readonly select: readonly Ruled[]
  readonly insert: readonly Ruled[]
  readonly update: readonly Ruled[]
  readonly delete: readonly Ruled[]
  /** Relations of the model whose key is written for the sake of the row that it leads to, and when. */
  readonly keys: ReadonlyMap<string, KeyRules>
}

/** When a key of a row may be written by who may change the relations of the row that it leads to. */
export interface KeyRules {
  /** About the row that the key leads to, where the policy of the row whose key it is is not asked. */
  readonly parent: readonly Ruled[]
  /** The row is made with the link that it is. */
  readonly makes: boolean
  /** The same of who removes the row with the link that it is, or with its last parent. */
  readonly removes: readonly Ruled[]
}

/** What no policy of a table can say, and what decides it. */
export interface Untranslated {
  readonly file: string
  readonly reason: string
}

/** The join table of an implicit many-to-many: who may link by one end, or by the other. */
export interface JoinRules {
  readonly table: string
  readonly dbSchema: string | null
  readonly ends: readonly JoinEnd[]
}

export interface JoinEnd {
  readonly model: ModelMeta
  readonly column: string
  readonly parent: readonly Ruled[]
}

export interface GuardModel {
  readonly rules: readonly RowRules[]
  readonly joins: readonly JoinRules[]
  /** The tables that no server serves. */
  readonly unserved: readonly ModelMeta[]
  /** Actions that code decides: nothing is made of them, and the command fails. */
  readonly untranslated: readonly Untranslated[]
  /** Relations that code decides on: the database asks only whether the rows are seen. */
  readonly left: readonly Untranslated[]
}

/** What the servers of an application allow, table by table, but for those that are the framework's own. */
export async function guardModel(
  servers: readonly CompiledServer[],
  userType: UserType,
  own: readonly ModelMeta[],
): Promise<GuardModel> {
  const personas = personasOf(userType)
  const said = new Said(servers, personas, await policyModel(servers, personas, userType, true))
  const seen = await seenRows(servers, personas, userType)
  const served = new Map(
    servers.flatMap(({ schemas }) =>
      [...schemas.byModel.values()].flatMap(({ model }) =>
        isTable(model) && !own.includes(model) ? [[model.name, model]] : [],
      ),
    ),
  )
  const rules = [...served.values()].map(
    (model): RowRules => ({
      model,
      select: [
        ...said.of(model.name, (schema, server, persona) =>
          said.translated(seen(server.name, persona, schema), { schema, server, persona, action: 'scope' }),
        ),
        // What a server does not serve, its requests may look at behind relations.
        ...servers
          .filter(({ schemas }) => !schemas.byModel.has(model.name))
          .flatMap(({ name }) => personas.map((persona) => ({ server: name, persona, formula: always }))),
      ],
      insert: said.actions(model.name, () => ['create']),
      update: said.actions(model.name, updatesOf),
      delete: said.actions(model.name, (schema) => (schema.deletedAt === null ? ['delete'] : ['forceDelete'])),
      keys: keysFrom(model, said),
    }),
  )
  const joins = joinsOf([...served.values()], said)
  const models = Object.values(servers[0]?.resources.models ?? {})
  const unserved = models.filter((model) => isTable(model) && !served.has(model.name) && !own.includes(model))
  return { rules, joins, unserved, untranslated: said.untranslated(), left: said.left() }
}

/** A view has no policies. */
const isTable = (model: ModelMeta): boolean => model.operations.some((operation) => operation !== 'read')

const suffix = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

/** The actions that write a relation by itself. */
const writesOf = (relation: Relation): readonly string[] =>
  (isToMany(relation) ? ['update', 'attach', 'detach'] : ['update']).map((verb) => verb + suffix(relation.name))

/** The actions that change columns of a row: relations whose key is on this side among them. */
const updatesOf = (schema: ResourceSchema): readonly string[] => [
  'update',
  ...(schema.deletedAt === null ? [] : ['delete']),
  ...[...schema.actions.values()].filter(({ on }) => on === 'member').map(({ name }) => name),
  ...[...schema.relations.values()].filter(({ kind }) => kind === 'belongsTo' || kind === 'morphTo').flatMap(writesOf),
]

interface About {
  readonly schema: ResourceSchema
  readonly server: CompiledServer
  readonly persona: Persona
  readonly action: string
}

/** What was found of each action, and what could not be translated. */
class Said {
  readonly servers: readonly CompiledServer[]
  private readonly personas: readonly Persona[]
  private readonly entries: ReadonlyMap<string, Entry>
  private readonly opaque = new Map<string, Untranslated>()
  private readonly weakened = new Map<string, Untranslated>()

  constructor(servers: readonly CompiledServer[], personas: readonly Persona[], entries: readonly Entry[]) {
    this.servers = servers
    this.personas = personas
    this.entries = new Map(
      entries.map((entry) => [keyOf(entry.server, entry.model, entry.action, entry.persona), entry]),
    )
  }

  /** What each kind of caller of each server that has the model is allowed; who is allowed nothing is left out. */
  of(
    model: string,
    formulaOf: (schema: ResourceSchema, server: CompiledServer, persona: Persona) => Formula,
  ): readonly Ruled[] {
    return this.servers.flatMap((server) => {
      const schema = server.schemas.byModel.get(model)
      if (!schema) return []
      return this.personas
        .map((persona) => ({ server: server.name, persona, formula: formulaOf(schema, server, persona) }))
        .filter(({ formula }) => formula !== never)
    })
  }

  /** Any of these actions; what only code can say is a fault. */
  actions(model: string, names: (schema: ResourceSchema) => readonly string[]): readonly Ruled[] {
    return this.of(model, (schema, server, persona) =>
      either(
        ...names(schema).map((action) =>
          this.translated(this.formula(schema, server, persona, action), { schema, server, persona, action }),
        ),
      ),
    )
  }

  /** Any of these writes of a relation; where only code can say, the row has to be seen. */
  relationWrites(model: string, relation: Relation, { isUnasked = false } = {}): readonly Ruled[] {
    return this.of(model, (schema, server, persona) => {
      const own = schema.relations.get(relation.name)
      if (own?.readOnly !== false || (isUnasked && isAsked(own))) return never
      return either(
        ...['update', ...writesOf(relation)].map((action) => {
          const formula = this.formula(schema, server, persona, action)
          const reasons = reasonsIn(formula)
          if (reasons.length > 0) this.tell(this.weakened, reasons, { schema, server, persona, action })
          return reasons.length > 0 ? seenPart(formula) : formula
        }),
      )
    })
  }

  translated(formula: Formula, about: About): Formula {
    const reasons = reasonsIn(formula)
    if (reasons.length === 0) return formula
    this.tell(this.opaque, reasons, about)
    return never
  }

  readonly untranslated = (): readonly Untranslated[] => [...this.opaque.values()]
  readonly left = (): readonly Untranslated[] => [...this.weakened.values()]

  private formula(schema: ResourceSchema, { name }: CompiledServer, persona: Persona, action: string): Formula {
    return this.entries.get(keyOf(name, schema.model.name, action, personaKey(persona)))?.formula ?? never
  }

  private tell(
    told: Map<string, Untranslated>,
    reasons: readonly string[],
    { schema, server, persona, action }: About,
  ): void {
    for (const reason of reasons) {
      const { name } = schema.model
      const file =
        action === 'scope' ? (server.file ?? `the server ${server.name}`) : policyFile(name, server.policies.get(name))
      const untranslated = { file, reason: `${action} for ${personaName(persona)}: ${reason}` }
      told.set(JSON.stringify(untranslated), untranslated)
    }
  }
}

/** Is the row that keeps the links changed only by who may change it by itself, too. */
const isAsked = (relation: Relation): boolean => isKeptElsewhere(relation) && relation.asksUpdate

const keyOf = (...parts: readonly string[]): string => parts.join('\n')

/** What a formula says beside its opaque parts, which stand beside what else has to hold. */
const seenPart = (formula: Formula): Formula => {
  if (formula.kind === 'opaque') return always
  if (formula.kind !== 'all') return formula
  const parts = formula.parts.map(seenPart).filter((part) => part !== always)
  return parts.length < 2 ? (parts[0] ?? always) : { kind: 'all', parts }
}

/** The join tables between models that are served. */
function joinsOf(served: readonly ModelMeta[], said: Said): readonly JoinRules[] {
  const models = said.servers[0]?.resources.models ?? {}
  const joins = new Map<string, JoinRules>()
  for (const model of served)
    for (const relation of Object.values(model.relations)) {
      const table = joinTable(model, relation, models)
      if (!table || !relation.join) continue
      const name = quotedTable(table)
      const end: JoinEnd = { model, column: relation.join.own, parent: writesOfField(model, relation.name, said) }
      joins.set(name, { ...table, ends: [...(joins.get(name)?.ends ?? []), end] })
    }
  return [...joins.values()]
}

const writesOfField = (model: ModelMeta, field: string, said: Said) =>
  eitherRuled(
    ...said.servers.flatMap(({ schemas }) =>
      [...(schemas.byModel.get(model.name)?.relations.values() ?? [])]
        .filter((relation) => relation.kind === 'manyToMany' && relation.field === field)
        .map((relation) => said.relationWrites(model.name, relation)),
    ),
  )

/** The relations of the model whose key other types write, where they write relations of their own. */
function keysFrom(model: ModelMeta, said: Said): ReadonlyMap<string, KeyRules> {
  const keys = new Map<string, KeyRules>()
  for (const server of said.servers)
    for (const schema of server.schemas.byModel.values())
      for (const relation of schema.relations.values()) {
        const via = keyBehind(relation, schema.model, model)
        if (via === null || keys.has(via)) continue
        const parent = said.relationWrites(schema.model.name, relation, { isUnasked: true })
        const isLeft = relation.kind === 'hasMany' && relation.deleteOnDetach
        const removes = isLeft ? said.relationWrites(schema.model.name, relation) : []
        const isPivot = relation.kind === 'manyThrough'
        // What asks the policy of the row itself is an update, an insert or a removal like any other.
        if (parent.length === 0 && removes.length === 0) continue
        keys.set(via, { parent, makes: isPivot, removes: isPivot ? parent : removes })
      }
  return keys
}

/** The model's relation that leads back along a relation of the parent; null if that one writes no key of the model. */
function keyBehind(relation: Relation, parent: ModelMeta, model: ModelMeta): string | null {
  if (relation.kind === 'manyThrough') return relation.pivot.model === model.name ? relation.pivot.from.name : null
  if ((relation.kind !== 'hasMany' && relation.kind !== 'hasOne') || relation.model !== model.name) return null
  return parent.relations[relation.field]?.inverse ?? null
}
