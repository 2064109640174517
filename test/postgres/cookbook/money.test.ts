import { expect, test } from 'vitest'
import { useRecipe } from '../../support/cookbook/recipe.ts'

const recipe = useRecipe('money', { provider: 'postgresql' })

const as = 'ben@example.com'
const expense = (attributes: object) => ({
  data: { type: 'expenses', attributes: { item: 'Tea', unitPrice: '1.00', currency: 'EUR', ...attributes } },
})
const spend = (attributes: object) => recipe.ask('POST /api/v1/expenses', { as, body: expense(attributes) })
const groupsOf = async (caller: string) => {
  const start = 'GET /api/v1/expenses/-stats?groupBy=currency&withStats[amount]=sum'
  return (await recipe.ask(start, { as: caller })).body.meta.groups
}

test('the files of the page compile', () => {
  expect(recipe.compile()).toEqual([])
})

test('everything is answered as the page shows it', async () => {
  const { shown, seen } = await recipe.follow()
  expect(seen).toEqual(shown)
})

test('an amount follows its parts, and no client sets it', async () => {
  const { status, body } = await spend({ quantity: 3, unitPrice: '0.70', amount: '1.00' })
  expect({ status, amount: body.data.attributes.amount }).toEqual({ status: 201, amount: '2.10' })
  const { id } = body.data
  for (const [attributes, amount] of [
    [{ quantity: 7 }, '4.90'],
    [{ unitPrice: '99999.99' }, '699999.93'],
    [{ item: 'Coffee' }, '699999.93'],
  ] as const) {
    const patch = { data: { type: 'expenses', id, attributes } }
    const answer = await recipe.ask(`PATCH /api/v1/expenses/${id}`, { as, body: patch })
    expect(answer.body.data.attributes.amount).toBe(amount)
  }
})

test.each(['0', '0.00', '-1.00', '1.001', '99999.991', '100000', '1e2', '1,50', 'NaN', 1.5])(
  '%s is no price',
  async (unitPrice) => {
    const before = await recipe.db.expense.count()
    const { status, body } = await spend({ unitPrice })
    expect(status).toBe(422)
    const pointers = body.errors.map(({ source }: { source: { pointer: string } }) => source.pointer)
    expect([...new Set(pointers)]).toEqual(['/data/attributes/unitPrice'])
    expect(await recipe.db.expense.count()).toBe(before)
  },
)

test('a thousand amounts are added up to the cent, and of nobody else', async () => {
  await recipe.db.expense.deleteMany()
  const cents = Array.from({ length: 1000 }, (_, n) => 1 + ((n * 7919) % 9_999_999))
  const data = cents.map((n) => ({ item: 'x', unitPrice: '0.01', amount: (n / 100).toFixed(2), currency: 'EUR' }))
  await recipe.db.expense.createMany({ data: data.map((row) => ({ ...row, ownerId: 2 })) })
  const total = cents.reduce((sum, n) => sum + n, 0)
  const sum = `${Math.floor(total / 100)}.${String(total % 100).padStart(2, '0')}`
  expect(await groupsOf(as)).toEqual([{ key: { currency: 'EUR' }, stats: { amount: { sum } } }])
  expect(await groupsOf('ann@example.com')).toEqual([])
})
