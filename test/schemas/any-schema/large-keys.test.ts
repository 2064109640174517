import { expect, test } from 'vitest'
import { to, useFixture } from '../../support/any-schema/use-fixture.ts'

// Keys beyond the integers that a number of JavaScript holds, at the ends of links.

const api = useFixture('ids')
const [first, second, third] = ['9007199254740993', '1389167031390403587', '-9223372036854775808'] as const

test('links by keys of 64 bits are added, replaced and removed', async () => {
  for (const [height, hash] of [first, second, third].entries())
    await api.create('blocks', { height }, {}, { id: hash })
  await api.create('labels', {}, { blocks: to('blocks', first) }, { id: 'wide' })
  const url = '/labels/wide/relationships/blocks'
  const changed = async (method: string, ...ids: readonly string[]) => {
    const { status } = await api.ask(method, url, to('blocks', ...ids))
    expect(status).toBeLessThan(300)
    const linked = (await api.linkage(url)) as readonly { readonly id: string }[]
    return linked.map(({ id }) => id).sort()
  }
  expect(await changed('POST', second)).toEqual([first, second].sort())
  expect(await changed('PATCH', second, third)).toEqual([second, third].sort())
  expect(await changed('DELETE', second)).toEqual([third])
})
