import { Policy, type Rules, Schema } from 'prismapi'
import { expect, test } from 'vitest'
import { useFixture } from '../../support/any-schema/use-fixture.ts'

// A Json column that is never null, and that some rows hide.

class Defaults extends Schema {
  override fields() {
    return [this.attribute('json' as never).filterableByPath()]
  }
}

class DefaultPolicy extends Policy {
  override abilities({ can, cannot }: Rules) {
    can([this.reads, 'create'] as never)
    cannot('view' as never, 'json' as never, { string: 'hidden' } as never)
  }
}

const api = useFixture('values', {
  schemas: { Default: Defaults as never },
  policies: { Default: DefaultPolicy as never },
})

test('a path that leads nowhere is found where the column is seen, and where it is not', async () => {
  for (const attributes of [
    { string: 'seen', json: { size: 1 } },
    { string: 'seen', json: { other: 1 } },
    { string: 'hidden', json: { size: 1 } },
  ])
    await api.create('defaults', attributes)
  const found = async (query: string): Promise<readonly string[]> => {
    const { status, body } = await api.ask('GET', `/defaults?${query}`)
    expect(status).toBe(200)
    return body.data.map(({ id }: { id: string }) => id).sort()
  }
  expect(await found('filter[json.size][isNull]=true')).toEqual(['2', '3'])
  expect(await found('filter[json.size][isNull]=false')).toEqual(['1'])
  expect(await found('filter[not][0][json.size][isNull]=true')).toEqual(['1'])
})
