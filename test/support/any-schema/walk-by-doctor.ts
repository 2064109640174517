import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { DoctorReport, TypeReport } from '@prismapi/cli/doctor/report'
import { afterAll, describe, expect, test } from 'vitest'
import { databases } from './databases.ts'
import { doctorReport } from './doctor.ts'
import {
  type AttributeReport,
  attributesOf,
  documentOf,
  isCreated,
  type Made,
  unserved,
} from './documents-by-doctor.ts'
import { arrangement, type FixtureProvider, fixtureNames, schemaText } from './fixtures.ts'
import { generate } from './generate.ts'
import { type Reply, type Served, serve } from './open.ts'
import { foreignKeys } from './walk-writes.ts'

/** Models of the fixtures whose rows cannot be named without telling a secret, or at all. */
const unservedByDecision: Readonly<Record<string, readonly string[]>> = {
  secrets: ['Session', 'VerificationToken'],
  skipped: ['Lonely', 'Ranking'],
}

/** Every type of every fixture is written by a client that has read `prismapi doctor --json`, and nothing else. */
export function walkByDoctor(provider: FixtureProvider): void {
  const below = mkdtempSync(path.join(tmpdir(), 'prismapi-by-doctor-'))
  afterAll(() => rmSync(below, { recursive: true }))

  describe.each(fixtureNames)('%s', (name) => {
    test('each type is created, changed, linked and deleted as doctor --json says', async () => {
      const report = await doctorReport(schemaText(name, provider))
      expect(unserved(report).map((line) => line.split(':')[0])).toEqual(unservedByDecision[name] ?? [])
      const generated = await generate(name, provider, below)
      const database = await databases[provider](generated)
      const served = await serve(generated, database.clients)
      try {
        const made = await createEach(served, report)
        const sql = arrangement(name)
        if (sql) await database.execute(sql)
        await changeEach(served, report, made)
        await relateEach(served, report, made)
        await deleteEach(served, report, made)
      } finally {
        await served.close()
        await database.close()
      }
    })
  })
}

/** Two of each type, the second with all that can be sent. Throws where a type that is to be created cannot be. */
async function createEach({ ask }: Served, { types }: DoctorReport): Promise<Made> {
  const made: Made = new Map()
  for (const nth of [1, 2]) {
    let left = types.filter(isCreated)
    while (left.length > 0) {
      const waiting: TypeReport[] = []
      for (const type of left) {
        const document = documentOf(type, made, nth, (each) => nth > 1 && isFree(type, each))
        if (document === null) waiting.push(type)
        else {
          const reply = await ask('POST', `/${type.type}`, document)
          if (reply.status !== 201) throw new Error(`POST ${JSON.stringify(document)} answered ${told(reply)}`)
          made.set(type.type, [...(made.get(type.type) ?? []), reply.body.data.id])
        }
      }
      if (waiting.length === left.length) throw new Error(`nothing leads to ${waiting.map(({ type }) => type)}`)
      left = waiting
    }
  }
  for (const type of types) expect([type.type, isCreated(type)]).toEqual([type.type, type.notCreated === undefined])
  return made
}

/** What a client can choose that knows the report alone: not what foreign keys hold that the Prisma schema does not know. */
const isFree = ({ type }: TypeReport, { name }: AttributeReport): boolean => !foreignKeys.has(`${type}.${name}`)

async function changeEach({ ask }: Served, { types }: DoctorReport, made: Made): Promise<void> {
  for (const type of types.filter(({ operations }) => operations.includes('update'))) {
    const [id] = made.get(type.type) ?? []
    if (id === undefined) continue
    const attributes = attributesOf(type, 3, (each) => !each.fixed && isFree(type, each))
    const document = { data: { type: type.type, id, attributes } }
    const reply = await ask('PATCH', pathOf(type, id), document)
    if (reply.status !== 200) throw new Error(`PATCH ${JSON.stringify(document)} answered ${told(reply)}`)
  }
}

/** What a relationship shows is sent back, which changes nothing and so is never refused; lists are added to and taken from. */
async function relateEach({ ask }: Served, { types }: DoctorReport, made: Made): Promise<void> {
  for (const type of types) {
    const [id] = made.get(type.type) ?? []
    if (id === undefined) continue
    for (const relation of type.relations) {
      const url = `${pathOf(type, id)}/relationships/${relation.name}`
      const shown = await ask('GET', url)
      if (shown.status !== 200) throw new Error(`GET ${url} answered ${told(shown)}`)
      const { data } = shown.body
      for (const method of relation.kind === 'toMany' ? ['PATCH', 'POST', 'DELETE'] : ['PATCH']) {
        const sent = method === 'DELETE' ? [] : withoutMeta(data)
        const reply = await ask(method, url, { data: sent })
        const isRight = relation.readOnly || relation.fixed ? reply.status === 403 : reply.status < 300
        if (!isRight) throw new Error(`${method} ${url} ${JSON.stringify(sent)} answered ${told(reply)}`)
      }
    }
  }
}

const withoutMeta = (data: unknown): unknown =>
  Array.isArray(data) ? data.map(({ type, id }) => ({ type, id })) : data

async function deleteEach({ ask }: Served, { types }: DoctorReport, made: Made): Promise<void> {
  const order = [...made.keys()].reverse()
  for (const name of order) {
    const type = types.find((each) => each.type === name) as TypeReport
    for (const id of made.get(name) ?? []) {
      const reply = await ask('DELETE', pathOf(type, id))
      // It has gone with what it belonged to.
      if (![204, 404].includes(reply.status)) throw new Error(`DELETE ${pathOf(type, id)} answered ${told(reply)}`)
    }
  }
}

const pathOf = ({ type }: TypeReport, id: string): string => `/${type}/${encodeURIComponent(id)}`
const told = ({ status, body }: Reply): string => `${status} ${JSON.stringify(body)?.slice(0, 600)}`
