import type { Answer, TestRequest } from '../../send.ts'
import { eachOf } from '../each-of.ts'
import type { DescribedWrite } from './compare-writes.ts'
import type { ReadWorld } from './hidden-world.ts'
import { lookFor } from './look.ts'
import { missingValue } from './oracles.ts'
import { difference, wholeOf } from './walk.ts'
import { hiddenMembers, schemasOf, shownRows } from './world.ts'
import { changesOf } from './writes.ts'

/** Rows of each field. */
const rowsAtMost = 2

/**
 * Writes of rows that may be seen, with hidden fields: an answer has none of them, and where a change is
 * forbidden, the hidden value is refused as another one is.
 */
export async function compareValueWrites(
  read: ReadWorld,
  ask: (request: TestRequest) => Promise<Answer>,
): Promise<readonly DescribedWrite[]> {
  const { world } = read
  const look = lookFor(world)
  const told: DescribedWrite[] = []
  const said = async (request: TestRequest) => {
    const answer = await ask(request)
    const found = look(answer, `${request.path} ${request.body ?? ''}`, new Set())
    told.push(...found.map((what) => ({ request, what })))
    return answer
  }
  const places = schemasOf(world).flatMap((schema) => {
    const members = hiddenMembers(world, schema)
    return [...new Set(members.map(({ name }) => name))].flatMap((name) =>
      members
        .filter((each) => each.name === name)
        .slice(0, rowsAtMost)
        .map((each) => ({ schema, ...each })),
    )
  })
  await eachOf(places, async ({ schema, id, name, value }) => {
    for (const request of changesOf(read, { schema, id }, {})) await said(request)
    const attribute = schema.attributes.get(name)
    if (!attribute || value === undefined) return
    const taken = shownRows(world, schema).flatMap(({ values }) => values.get(name) ?? [])
    const another = attribute.kind === 'string' ? `0${value}` : missingValue(attribute, taken)
    const sent = (text: string) => (attribute.kind === 'integer' || attribute.kind === 'float' ? Number(text) : text)
    const other = changesOf(read, { schema, id }, { [name]: sent(another) })
    for (const [i, request] of changesOf(read, { schema, id }, { [name]: sent(value) }).entries()) {
      const [mine, theirs] = [await said(request), await said(other[i] as TestRequest)].map(answered)
      if (mine === theirs || other[i] === undefined || !theirs?.startsWith('403')) continue
      told.push({ request, what: `is told from another value: ${difference(mine as string, theirs as string)}` })
    }
  })
  return told
}

const answered = (answer: Answer): string => `${answer.status} ${answer.status < 300 ? '' : wholeOf(answer)}`
