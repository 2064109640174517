import { type Attribute, isKeyAttribute } from '@prismapi/jsonapi/schema/resource-schema'
import type { Reply, Served } from './open.ts'
import type { Making, Population, Shown } from './populate.ts'
import { illegalValues, isSame, legalValues } from './values.ts'

const runs = 5

/**
 * A column whose relation is ignored, so that Prisma tells nobody that the database has a foreign key there; and one that
 * foreign keys lead to, which stays what it is while they do.
 */
export const foreignKeys: ReadonlySet<string> = new Set(['visits.customerId', 'depots.code'])

const pathOf = ({ type, id }: Shown): string => `/${type}/${encodeURIComponent(id)}`
const short = (value: unknown): string => JSON.stringify(value)?.slice(0, 600)

/** Every attribute that clients write takes every legal value, shows it, and refuses what its column cannot hold. */
export async function walkAttributes(served: Served, all: Population, making: Making): Promise<void> {
  for (const schema of served.schemas.byType.values()) {
    const [resource] = all.get(schema.type) ?? []
    if (!resource || !schema.operations.has('update')) continue
    for (const attribute of schema.attributes.values()) {
      if (attribute.column === null) continue
      if (attribute.readOnly || isKeyAttribute(schema, attribute))
        await staysAsItIs(served, resource, attribute, making)
      else await takesLegalValues(served, resource, attribute, making)
      if (!attribute.readOnly && !isKeyAttribute(schema, attribute))
        await refusesOthers(served, resource, attribute, making)
    }
  }
}

const patch = ({ ask }: Served, resource: Shown, name: string, value: unknown): Promise<Reply> =>
  ask('PATCH', pathOf(resource), { data: { type: resource.type, id: resource.id, attributes: { [name]: value } } })

async function takesLegalValues(served: Served, resource: Shown, attribute: Attribute, { provider, random }: Making) {
  for (let run = 0; run < runs; run++) {
    const value = random(legalValues(attribute, provider))
    const { status, body } = await patch(served, resource, attribute.name, value)
    if (status === 422 && body.errors.every(({ code }: { code: string }) => code === 'unique')) continue
    if (status === 409 && foreignKeys.has(`${resource.type}.${attribute.name}`)) continue
    if (status !== 200)
      throw new Error(`${pathOf(resource)} answered ${status} to ${attribute.name} = ${short(value)}: ${short(body)}`)
    const { body: read } = await served.ask('GET', pathOf(resource))
    for (const shown of attribute.writeOnly ? [] : [body.data, read.data])
      if (!isSame(attribute, value, shown.attributes[attribute.name]))
        throw new Error(
          `${resource.type}.${attribute.name}: ${short(value)} was written, ${short(shown.attributes[attribute.name])} is shown`,
        )
  }
}

async function refusesOthers(served: Served, resource: Shown, attribute: Attribute, { provider }: Making) {
  for (const value of illegalValues(attribute, provider)) {
    const { status, body } = await patch(served, resource, attribute.name, value)
    if (status < 400)
      throw new Error(
        `${resource.type}.${attribute.name} took ${short(value)}, and shows ${short(body?.data?.attributes?.[attribute.name])}`,
      )
  }
}

async function staysAsItIs(served: Served, resource: Shown, attribute: Attribute, { provider, random }: Making) {
  if (attribute.column?.isUpdatedAt) return
  const { body: before } = await served.ask('GET', pathOf(resource))
  await patch(served, resource, attribute.name, random(legalValues(attribute, provider)))
  const { body: after } = await served.ask('GET', pathOf(resource))
  if (short(before.data.attributes[attribute.name]) !== short(after.data.attributes[attribute.name]))
    throw new Error(`${resource.type}.${attribute.name} is read-only, and was changed`)
}

/** Whatever the order, a resource is deleted, or kept because others need it. */
export async function walkDeletions({ schemas, ask }: Served, all: Population): Promise<void> {
  for (const schema of schemas.byType.values()) {
    for (const resource of all.get(schema.type) ?? []) {
      const { status, allow } = await ask('DELETE', pathOf(resource))
      if (!schema.operations.has('delete') && (status !== 405 || allow?.includes('DELETE')))
        throw new Error(`DELETE ${pathOf(resource)} answered ${status}`)
      const { status: now } = await ask('GET', pathOf(resource))
      const isRight = status === 204 ? now === 404 : [404, 405, 409].includes(status)
      if (!isRight) throw new Error(`DELETE ${pathOf(resource)} answered ${status}, and then GET ${now}`)
    }
  }
}
