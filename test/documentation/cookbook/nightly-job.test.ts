import { beforeAll, expect, test } from 'vitest'
import { useRecipe } from '../../support/cookbook/recipe.ts'

const recipe = useRecipe('nightly-job')

// biome-ignore lint/suspicious/noExplicitAny: the API of an application that the page describes
let api: any
let markOverdue: (api: unknown, today: string) => Promise<number>
beforeAll(async () => {
  api = await (await recipe.load('src/app/api.ts')).makeApi(recipe.parts)
  markOverdue = (await recipe.load('src/app/jobs/mark-overdue.ts')).markOverdue
})

const nightly = async () => {
  const { exit } = recipe.start('src/app/jobs/nightly.ts', '2026-03-01')
  return (await exit).stdout
}
const open = (number: string) =>
  recipe.db.invoice.create({ data: { number, dueOn: new Date('2026-01-31'), ownerId: 1 } })
const remindersOf = (invoiceId: number) => recipe.db.reminder.count({ where: { invoiceId } })

test('the files of the page compile', () => {
  expect(recipe.compile()).toEqual([])
})

test('a process of its own does the work of a night once, and everything is answered as the page shows it', async () => {
  const first = await nightly()
  expect(first).toBe(recipe.shown('first-run'))
  expect(await nightly()).toBe(first.replace('2', '0'))
  const states = await recipe.db.invoice.findMany({ orderBy: { id: 'asc' }, select: { state: true } })
  expect(states.map(({ state }: { state: string }) => state)).toEqual(['OVERDUE', 'PAID', 'OVERDUE', 'OPEN'])
  expect(await recipe.db.reminder.count()).toBe(2)
  const { shown, seen } = await recipe.follow()
  expect(seen).toEqual(shown)
})

test('two runs at one time remind once', async () => {
  const { id } = await open('R-5')
  const marked = await Promise.all([markOverdue(api, '2026-03-01'), markOverdue(api, '2026-03-01')])
  expect(marked.reduce((a, b) => a + b)).toBe(1)
  expect(await remindersOf(id)).toBe(1)
})

test('an invoice without a reminder stays open, and the next run has it again', async () => {
  const { id } = await open('x'.repeat(200))
  await expect(markOverdue(api, '2026-03-01')).rejects.toMatchObject({
    status: 422,
    errors: [{ source: { pointer: '/data/attributes/text' } }],
  })
  expect(await recipe.db.invoice.findUnique({ where: { id } })).toMatchObject({ state: 'OPEN' })
  await recipe.db.invoice.update({ where: { id }, data: { number: 'R-6' } })
  expect(await markOverdue(api, '2026-03-01')).toBe(1)
  expect(await remindersOf(id)).toBe(1)
})

test('more invoices than are read at a time are all marked', async () => {
  for (let n = 0; n < 230; n++) await open(`many ${n}`)
  expect(await markOverdue(api, '2026-03-01')).toBe(230)
})
