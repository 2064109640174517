// Run in a copy of this package, by the test of generated files: makes every file for every model, and says how it went.

import { run } from '@prismapi/cli/run'
import { discover } from '@prismapi/core/server/discover'
import { writeRules } from '@prismapi/core/validation/request/make-request'
import { factsOf } from '@prismapi/core/validation/request/request-base'
import { inferRules } from '@prismapi/core/validation/rules/infer-rules'
import type { RuleSet } from '@prismapi/core/validation/rules/rule-set'
import type { Operation } from '@prismapi/jsonapi/request/operation'
import { compileRegistry } from '@prismapi/jsonapi/schema/registry'
import { createApi } from 'prismapi/internal/usual/create-api'
import { resources } from '../../prisma/generated/resources.ts'

export interface Everything {
  /** What each command line said. */
  readonly said: Readonly<Record<string, string>>
  /** By model: what inference demands and what the generated request class does, on create and on update. */
  readonly rules: Readonly<Record<string, { readonly inferred: unknown; readonly generated: unknown }>>
}

const described = (rules: RuleSet): unknown =>
  Object.fromEntries(Object.entries(rules).map(([field, rule]) => [field, description(rule)]))

// On update there is an id already, and no client changes it.
function describedForUpdate({ id: _, ...rules }: RuleSet): unknown {
  return described(rules)
}

interface Description {
  readonly type: string
  readonly nullable: boolean
  readonly optional: boolean
  readonly oneOf: readonly unknown[]
  readonly meta?: { readonly rule?: string }
  readonly tests: readonly { readonly name?: string; readonly params?: object }[]
  readonly innerType?: Description
}

const description = (rule: unknown): unknown => summary((rule as { describe(): Description }).describe(), false)

const summary = (
  { type, nullable, optional, oneOf, meta, tests, innerType }: Description,
  isInner: boolean,
): unknown => ({
  type,
  nullable,
  ...(!isInner && { optional }),
  oneOf,
  rule: meta?.rule,
  tests: tests.filter(({ name }) => meta?.rule !== 'integer' || (name !== 'min' && name !== 'max')),
  of: innerType && summary(innerType, true),
})

const root = process.cwd()
const { registry } = compileRegistry({ resources, schemas: new Map(), only: null, maxPageSize: 1000 })

const said: Record<string, string> = {}
async function prismapi(line: string): Promise<void> {
  const lines: string[] = []
  const note = (text: string) => void lines.push(text)
  const status = await run(line.split(' '), root, { say: note, complain: note, paint: (_, text) => text })
  said[line] = `${status} ${lines.join('\n')}`
}

await prismapi('server made')
await prismapi('authorizer everything')
for (const model of registry.byModel.keys()) {
  await prismapi(`policy ${model}`)
  await prismapi(`request ${model} --server=made`)
  await prismapi(`request ${model}`)
  await prismapi(`query ${model} --both`)
  await prismapi(`query ${model} --both --server=made`)
  await prismapi(`schema ${model} --server=made`)
  await prismapi(`authorizer ${model} --resource --server=made`)
}

const found = await discover({ root, resources })
const silent = () => {}
const logger = { debug: silent, info: silent, warn: silent, error: silent }
const client = { $transaction: () => Promise.reject(new Error('There is no database.')) }
// Whatever could not be served is an Error here.
createApi({ resources, clients: { reader: client, writer: client }, ...found, baseUrl: 'http://127.0.0.1', logger })

const made = found.servers.find(({ server }) => new server().name === 'made')
const rules: Record<string, { inferred: unknown; generated: unknown }> = {}
for (const [model, schema] of registry.byModel) {
  const Class = made?.requests.get(model)?.request
  if (!Class) throw new Error(`${model} has no request class.`)
  const generated = (op: Operation): RuleSet =>
    Object.fromEntries(writeRules(new Class(factsOf(op, { caller: null, services: {} }))).fields)
  rules[model] = {
    inferred: [described(inferRules(schema, true)), describedForUpdate(inferRules(schema, false))],
    generated: [
      described(generated({ kind: 'create', schema })),
      describedForUpdate(generated({ kind: 'update', schema, id: '1' })),
    ],
  }
}

console.log(JSON.stringify({ said, rules } satisfies Everything))
