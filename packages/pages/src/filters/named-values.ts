import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { answerTo } from '../data/answer-to.ts'
import { hasLabel } from '../data/page-data.ts'
import { type Caller, typedMark } from '../data/page-request.ts'
import { labelOfOne, searchUrl } from '../data/picker.ts'
import { listOf } from '../html/links.ts'
import { filterFields } from './fields.ts'

/** Is a filter sent whose value may be the name of a related resource? */
export const mayBeNamed = (sent: URLSearchParams): boolean =>
  sent.get('-kind') === 'relation' && !(sent.get('-operator') ?? '').includes(':')

/**
 * In: what a form of a filter sends. Out: the same with the ids of the resources whose names were typed; where nothing
 * is called so, the way back to the form, with what was typed.
 */
export async function withIds(caller: Caller, schema: ResourceSchema, sent: URLSearchParams): Promise<URLSearchParams> {
  const name = sent.get('-field') ?? ''
  const target = filterFields(caller.api, schema).find((each) => each.name === name)?.target ?? null
  const typed = listOf(sent, '-value').map((each) => each.trim())
  if (!target || searchUrl(caller.api, target) === null) return sent
  const found = await Promise.all(typed.map((each) => idsOf(caller, target, each)))
  const missing = typed.find((_, i) => found[i] === null)
  if (missing === undefined) {
    const all = new URLSearchParams(sent)
    all.set('-value', found.flat().join(','))
    return all
  }
  const back = new URLSearchParams([...sent].filter(([key]) => !key.startsWith('-')))
  back.set('-field', name)
  back.set(typedMark, missing)
  return back
}

// What is so long, or a number, may be the id of a resource that the caller does not see.
const looksLikeId = /^(?:\d+|[\w-]{16,})$/

/** An id stays; a name becomes the ids of all that are called so, or of the only one that has it in its name. */
async function idsOf(caller: Caller, target: ResourceSchema, typed: string): Promise<readonly string[] | null> {
  if (typed === '' || (await labelOfOne(caller, target, typed)) !== null) return [typed]
  const same = await listed(caller, target, `filter[${target.label}]`, typed)
  if (same.length > 0) return same
  const [, search = ''] = searchUrl(caller.api, target)?.split(/[?&](?=filter)/) ?? []
  const near = await listed(caller, target, search.replace(/=$/, ''), typed)
  if (near.length === 1) return near
  return looksLikeId.test(typed) ? [typed] : null
}

async function listed(
  { ctx }: Caller,
  target: ResourceSchema,
  filter: string,
  typed: string,
): Promise<readonly string[]> {
  const schema = ctx.server.schemas.byType.get(target.type)
  if (!schema || !hasLabel(target) || filter === '') return []
  const query = new URLSearchParams({ include: '', [`fields[${target.type}]`]: target.label, [filter]: typed })
  const document = await answerTo(ctx, { kind: 'viewAny', schema }, query)
  const data = document && Array.isArray(document.data) ? document.data : []
  return data.slice(0, mostNamed).map(({ id }) => id.replace(/[\\,]/g, '\\$&'))
}

const mostNamed = 20
