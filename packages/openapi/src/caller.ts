import { createHash } from 'node:crypto'
import { allowsSome, mayLinkSome } from '@prismapi/core/auth/allows-some'
import type { AuthContext } from '@prismapi/core/auth/auth-context'
import { fieldsFor } from '@prismapi/core/auth/viewable'
import { type DescribedRules, describeRulesFor } from '@prismapi/core/validation/request/describe-rules'
import type { FieldRules } from '@prismapi/core/validation/rules/rule-set'
import { nothing } from '@prismapi/jsonapi/condition/build'
import { together } from '@prismapi/jsonapi/model/awaitable'
import { memo } from '@prismapi/jsonapi/model/memo'
import { masksValues } from '@prismapi/jsonapi/query/query-context'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import type { ISchema } from 'yup'
import { type Audience, operationsOf, writeOf } from './audience.ts'
import { isRequired, ruleSchema } from './rule-schema.ts'

/** The caller of a request, as the audience of a document. */
export interface Caller extends Audience {
  /** The same for all callers who are told the same. */
  readonly key: string
}

/** What the policies, rules and scopes of this request leave to its caller; no query, and no row is looked at. */
export async function callerOf(ctx: AuthContext): Promise<Caller> {
  const { server, served } = ctx
  const all = [...server.schemas.byType.values()]
  const named = all.flatMap(operationsOf)
  const answers = await together(
    named.map(
      ([, operation]) =>
        () =>
          allowsSome(ctx, operation),
    ),
  )
  const allowed = new Set(named.flatMap(([id], i) => (answers[i] ? [id] : [])))
  const hidden = all.map(({ model }) => model.name).filter((model) => ctx.rows.hides('related', model))
  const scoped = new Set(hidden)
  const rules = new Map<string, DescribedRules | null>()
  for (const schema of all) {
    for (const kind of ['create', 'update'] as const) {
      const id = `${schema.type}.${kind}`
      if (allowed.has(id)) rules.set(id, written(ctx, schema, kind))
    }
  }
  const canMeet = ({ authorizable, model }: ResourceSchema) =>
    !server.viewEverywhere || !server.authorizable || !authorizable || ctx.abilityOf(model.name).allowsSome('view')
  const seen = all.map(({ model }) =>
    [...(ctx.seen(model.name)?.fields ?? [])].map(([name, condition]) => [name, condition === nothing]),
  )
  const said = [...rules].map(([id, known]) => [id, known && toldBy(known.rules)])
  const decided = [[...allowed], hidden, [...served.trash], all.filter(canMeet).map(({ type }) => type), seen, said]
  return Object.freeze({
    key: createHash('sha256').update(JSON.stringify(decided)).digest('base64url'),
    has: (id: string) => allowed.has(id),
    rulesOf: ({ type }: ResourceSchema, kind: string) => rules.get(`${type}.${kind}`) ?? null,
    seesTrash: (model: string) => served.trash.has(model) && seesMark(ctx, model),
    isScoped: (model: string) => scoped.has(model),
    seen: ctx.seen,
    masksValues: masksValues(server),
    canMeet,
  })
}

const seesMark = ({ server, seen }: AuthContext, model: string): boolean =>
  !seen(model)?.stored.has(server.schemas.byModel.get(model)?.deletedAt ?? '')

/** The rules of the fields that the caller may write, of some row at least. */
function written(ctx: AuthContext, schema: ResourceSchema, kind: 'create' | 'update'): DescribedRules | null {
  const known = describeRulesFor(ctx, writeOf(schema, kind))
  if (!known) return known
  const access = fieldsFor(ctx, schema.model.name, kind)
  const isWritten = (name: string): boolean => {
    const relation = schema.relations.get(name)
    return access?.fields.get(name) !== nothing && (!relation || mayLinkSome(ctx, relation))
  }
  const fields = new Map([...known.rules.fields].filter(([name]) => isWritten(name)))
  return { ...known, rules: { ...known.rules, fields } }
}

/** All that a document tells of rules, as text. */
const toldBy = ({ fields }: FieldRules): string => JSON.stringify([...fields].map(([name, rule]) => [name, told(rule)]))

// Most rules are constants of the application, and what they say is, too.
const told = memo((rule: ISchema<unknown>) => {
  const description = rule.describe()
  return [isRequired(description), 'nullable' in description && description.nullable, ruleSchema(description)]
})
