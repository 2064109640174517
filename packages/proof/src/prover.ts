import type { Ceiling } from '@prismapi/core/auth/caller'
import type { CompiledServer } from '@prismapi/core/server/compile'
import { everything, nothing } from '@prismapi/jsonapi/condition/build'
import type { ModelMeta, Resources } from '@prismapi/jsonapi/model/meta'
import type { Row } from '@prismapi/jsonapi/model/where'
import { NotInSql } from '@prismapi/sql/dialects/codec'
import { meets, settled } from './confirm/ask.ts'
import { type Database, databaseOf, prismaValue } from './confirm/database.ts'
import { jsonRow, jsonValue } from './confirm/json-row.ts'
import { decideReally } from './confirm/real-decision.ts'
import type { Scratch } from './confirm/scratch.ts'
import { toCondition } from './confirm/to-condition.ts'
import { type ClaimType, type Persona, personaKey, personasOf, type UserType, type Who } from './model/persona.ts'
import { type Entry, type PolicyModel, policyModel } from './model/policy-model.ts'
import { atTime, type Run, runsFor, userOf } from './model/symbols.ts'
import type { Finder, Found, Wanted } from './solve/solve.ts'

/** An application whose policies are looked at. */
export interface Proved {
  readonly resources: Resources
  readonly servers: readonly CompiledServer[]
  readonly userType: UserType
  /** What callers may be limited to: `user with scope read`. */
  readonly ceilings?: readonly Ceiling[]
  /** Made when the first counterexample has to be confirmed. */
  readonly openScratch: () => Promise<Scratch>
}

/** A row, with those that matter behind its relations, and the caller; null for an action that is about no row. */
export interface Example {
  readonly row: Readonly<Record<string, unknown>> | null
  readonly who: Who
}

/** Why a row that the proof found cannot be confirmed. */
export interface Unconfirmed {
  readonly reason: string
}

/** What is asked of an entry: a row of which all formulas are as they are wanted. */
export interface ExampleQuery {
  readonly entry: Entry
  /** A field that it is about, where that is not the whole row. */
  readonly field?: string | undefined
  readonly wanted: readonly Wanted[]
  /** What the application's own code has to decide for the row; null where it is not asked. */
  readonly decision: boolean | null
}

/** Looks for rows, and has the real reader and the real policies confirm each one. */
export class Prover {
  readonly personas: readonly Persona[]
  readonly app: Proved
  readonly now = Date.now()
  private policies: Promise<PolicyModel> | null = null
  private finder: Promise<Finder> | null = null
  private scratch: Promise<Scratch> | null = null
  /** Earlier results, by question: servers, callers and actions often have the same formulas, and show the same row. */
  private readonly answers = new Map<string, Found | null>()

  constructor(app: Proved) {
    this.app = app
    this.personas = personasOf(app.userType)
  }

  /** What this application allows. */
  model(): Promise<PolicyModel> {
    this.policies ??= policyModel(this.app.servers, this.personas, this.app.userType)
    return this.policies
  }

  persona(key: string): Persona {
    const persona = this.personas.find((each) => personaKey(each) === key)
    if (!persona) throw new Error(`There is no caller ${key}.`)
    return persona
  }

  runs(persona: Persona): readonly [Run, Run] {
    return runsFor(persona, this.app.userType, this.now)
  }

  /** Rows with the wanted value of each formula; null if none exist. The first question loads the solver. */
  async find(model: ModelMeta, wanted: readonly Wanted[]): Promise<Found | null> {
    const { resources, userType } = this.app
    this.finder ??= import('./solve/solve.ts').then(({ Finder }) => new Finder())
    return (await this.finder).find({ model, resources, claims: userType.claims, now: this.now }, wanted)
  }

  /**
   * A row that answers the query, confirmed; null if there is none. If the database cannot be asked in SQL, it says so.
   *
   * @throws {Error} for a row that the reader or the policies do not confirm: a fault of the proof.
   */
  async example(query: ExampleQuery): Promise<Example | Unconfirmed | null> {
    const { resources } = this.app
    const model = resources.models[query.entry.model] as ModelMeta
    const question = JSON.stringify([model.name, query.wanted])
    const known = this.answers.get(question)
    const found = known === undefined ? await this.find(model, query.wanted) : known
    this.answers.set(question, found)
    if (found === null) return null
    const persona = this.persona(query.entry.persona)
    const database = databaseOf(found, model, resources)
    try {
      await this.confirm(query, { persona, found, database })
    } catch (error) {
      if (!(error instanceof NotInSql)) throw error
      return { reason: `SQL cannot confirm it: ${error.message}` }
    }
    const formulas = query.wanted.map(({ formula }) => formula)
    return {
      row: query.entry.onRow ? jsonRow(database, formulas, resources) : null,
      who: this.whoOf(persona, found),
    }
  }

  async close(): Promise<void> {
    // One that did not open was told where it was asked for.
    const scratch = await this.scratch?.catch(() => null)
    await scratch?.close()
  }

  private async confirm(
    { entry, field, wanted, decision }: ExampleQuery,
    { persona, found, database }: Candidate,
  ): Promise<void> {
    const { resources } = this.app
    const { root, model } = database
    this.scratch ??= this.app.openScratch()
    const { reader, fill } = await this.scratch
    await fill(database)
    const claims = this.claimsOf(persona, found)
    const asking = { resources, claims: claims ?? {}, now: this.now }
    for (const { formula, isTrue } of wanted)
      for (const opaque of [everything, nothing]) {
        const asked = { ...asking, opaque }
        const condition = toCondition(await settled(formula, reader, asked), model, asked)
        if ((await meets(reader, model, root, condition)) !== isTrue)
          throw unconfirmed(entry, root, `A fault of the proof: the reader of ${entry.server} says`)
      }
    if (decision === null) return
    const server = this.app.servers.find(({ name }) => name === entry.server) as CompiledServer
    const schema = server.schemas.byModel.get(entry.model)
    if (!schema) return
    const row = entry.onRow ? root : null
    const query = { server, schema, action: entry.action, field, user: claims, row, reader }
    if ((await atTime(this.now, () => decideReally(query))) === decision) return
    const fault = 'A fault of the proof, or of code that compares a claim with a constant'
    throw unconfirmed(entry, root, `${fault}: the policies of ${entry.server} say`)
  }

  /** The caller as `authenticate` would give it. */
  private claimsOf(persona: Persona, { claims }: Found): Readonly<Record<string, unknown>> | null {
    if (persona.kind === 'guest') return null
    const { userType } = this.app
    const [{ values }] = this.runs(persona)
    const given = Object.entries(claims).map(
      ([name, value]) => [name, prismaValue({ type: typeOf(userType.claims[name]) }, value)] as const,
    )
    return userOf(persona, userType, new Map([...values, ...given]))
  }

  private whoOf(persona: Persona, found: Found): Who {
    if (persona.kind === 'guest') return 'guest'
    const claims = Object.entries(found.claims).map(([name, value]) => [name, jsonValue(value)])
    return { ...persona.fixed, ...Object.fromEntries(claims) }
  }
}

interface Candidate {
  readonly persona: Persona
  readonly found: Found
  readonly database: Database
}

const typeOf = (claim: ClaimType | undefined): string => (claim?.kind === 'symbol' ? claim.type : 'String')

const unconfirmed = ({ model, action }: Entry, row: Row, says: string): Error =>
  new Error(
    `${says} something else of ${action} and this ${model} than its formula: ${JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? String(value) : value))}`,
  )
