import type { ResourceSchema } from '../../../schema/resource-schema.ts'
import { isObject } from '../judges/judged.ts'
import type { Interview } from './interview.ts'
import { changeable, differencesFrom } from './sent-values.ts'
import { sent, versionOf, type Writing } from './writing.ts'

interface Changing extends Writing {
  readonly id: string
}

/** A resource is what it was when it is sent back as it is shown, and what is sent when that is something else. */
export async function askChanges(own: Interview, schema: ResourceSchema, changing: Changing): Promise<void> {
  const path = `/${schema.type}/${encodeURIComponent(changing.id)}`
  const now = await own.ask({ path, status: [200, ...own.denials], primary: 'resource' })
  const { data } = now.document ?? {}
  if (now.status !== 200 || !isObject(data)) return
  await askChange(own, schema, { ...changing, attributes: isObject(data.attributes) ? data.attributes : {} })
  await askChange(own, schema, { ...changing, attributes: (await changing.make()).attributes ?? {} })
}

interface Change extends Changing {
  readonly attributes: Readonly<Record<string, unknown>>
}

async function askChange(own: Interview, schema: ResourceSchema, { id, adjusted, attributes }: Change): Promise<void> {
  const { type } = schema
  const path = `/${type}/${encodeURIComponent(id)}`
  const change = { schema, adjusted, sent: changeable({ schema, adjusted, sent: attributes }) }
  if (Object.keys(change.sent).length === 0) return
  const headers = schema.requiresIfMatch ? versionOf(schema, await own.ask({ path, status: [200] })) : {}
  const question = { ...sent('PATCH', path, { type, id, attributes: change.sent }), headers, status: [200, 204] }
  const changed = await own.ask({ ...question, primary: 'resource' })
  if (changed.status === 200 && changed.document?.data !== undefined)
    for (const fault of differencesFrom(change, changed.document.data)) own.note(changed, fault)
  if (changed.status >= 300) return
  const found = await own.ask({ path, status: [200, ...own.denials], primary: 'resource' })
  for (const fault of differencesFrom(change, found.document?.data)) own.note(found, fault)
}
