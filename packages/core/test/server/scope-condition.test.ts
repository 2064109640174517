import { expect, test } from 'vitest'
import { resourcesOf } from '../../../../test/support/schemas.ts'
import { scopeCondition } from '../../src/server/serving.ts'

const { models } = resourcesOf('postgresql')
const [json, holder] = Object.values(models)
  .flatMap((model) => Object.values(model.columns).map((column) => [column, model] as const))
  .find(([column]) => column.type === 'Json') as never as readonly [{ name: string }, (typeof models)[string]]

const of = (filter: unknown, wrap: (where: object) => object = (where) => where) =>
  scopeCondition(wrap({ [json.name]: filter }) as never, holder, models)

test('equality inside of Json hides what it says', () => {
  const filter = { path: ['hidden'], equals: false }
  expect(of(filter)).toMatchObject({ kind: 'json', column: json, path: ['hidden'], operator: 'equals', value: false })
})

test.each([
  ['alone', (where: object) => where],
  ['in a branch', (where: object) => ({ OR: [{ NOT: where }, where] })],
])('a search inside of Json is refused, %s', (_, wrap) => {
  expect(() => of({ path: ['kind'], string_contains: 'x' }, wrap)).toThrow(
    `scope('${holder.name}'): ${json.name}: string_contains inside of Json hides too little. Use equals, or a column.`,
  )
})
