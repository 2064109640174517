import { beforeAll, expect, test } from 'vitest'
import { useRecipe } from '../../support/cookbook/recipe.ts'

const recipe = useRecipe('queue-worker')
const quiet = { debug() {}, info() {}, warn() {}, error() {} }
const minutes = (count: number) => new Date(Date.now() + count * 60_000)

// biome-ignore lint/suspicious/noExplicitAny: the API of an application that the page describes
let api: any
let work: (parts: object, now?: Date) => Promise<boolean>
let summarize: (text: string) => Promise<string>
beforeAll(async () => {
  api = await (await recipe.load('src/app/api.ts')).makeApi({ ...recipe.parts, logger: quiet })
  work = (await recipe.load('src/app/jobs/work.ts')).work
  summarize = (await recipe.load('src/app/jobs/summarize.ts')).summarize
})

const parts = (more: object = {}) => ({ api, prisma: recipe.db, logger: quiet, summarize, ...more })
const ask = async (id: number, as: string): Promise<number> =>
  (await recipe.ask(`POST /api/v1/articles/${id}/-actions/summarize`, { as })).body.meta.job
const jobOf = (id: number) => recipe.db.job.findUnique({ where: { id } })
const summariesOf = (articleId: number): Promise<number> => recipe.db.summary.count({ where: { articleId } })
const article = async (text: string): Promise<number> =>
  (await recipe.db.article.create({ data: { title: 'One', text, authorId: 1 } })).id
const ann = 'ann@example.com'

test('the files of the page compile', () => {
  expect(recipe.compile()).toEqual([])
})

test('a worker of its own does what was asked, and everything is answered as the page shows it', async () => {
  const worker = recipe.start('src/app/jobs/worker.ts')
  try {
    await worker.firstLine
    let isAsked = false
    const { shown, seen } = await recipe.follow(async () => {
      if (isAsked) await expect.poll(() => summariesOf(1), { timeout: 30_000 }).toBe(1)
      isAsked = true
    })
    expect(seen).toEqual(shown)
  } finally {
    worker.stop()
  }
  expect(await worker.exit).toMatchObject({ code: 0 })
})

test('a job whose worker died after the write writes nothing more', async () => {
  const id = await article('Once. Not twice.')
  const job = await ask(id, ann)
  expect(await work(parts())).toBe(true)
  const { doneAt } = await jobOf(job)
  expect(doneAt).not.toBeNull()
  await recipe.db.job.update({ where: { id: job }, data: { doneAt: null, nextAt: minutes(0) } })
  await recipe.db.article.update({ where: { id }, data: { text: 'Another text. Not twice.' } })
  await work(parts())
  expect(await jobOf(job)).toMatchObject({ attempts: 2, failure: null, doneAt: expect.any(Date) })
  expect(await recipe.db.summary.findMany({ where: { articleId: id } })).toMatchObject([{ text: 'Once.' }])
  expect(await work(parts())).toBe(false)
})

test('of two workers one does the job', async () => {
  const id = await article('Two.')
  await ask(id, ann)
  const said: string[] = []
  const counted = parts({
    async summarize(text: string) {
      said.push(text)
      return text
    },
  })
  await Promise.all([work(counted), work(counted)])
  expect(said).toEqual(['Two.'])
  expect(await summariesOf(id)).toBe(1)
})

test('the job has the rights that its user has by now', async () => {
  const id = await article('Handed on.')
  const job = await ask(id, ann)
  await recipe.db.article.update({ where: { id }, data: { authorId: 2 } })
  await work(parts())
  expect(await jobOf(job)).toMatchObject({ failure: 'Not Found', doneAt: expect.any(Date) })
  expect(await summariesOf(id)).toBe(0)
})

test('what fails is tried again when its time has come, five times', async () => {
  const id = await article('Again.')
  const job = await ask(id, ann)
  const broken = parts({ summarize: () => Promise.reject(new Error('The model is away.')) })
  await work(broken)
  expect(await work(broken)).toBe(false)
  expect(await jobOf(job)).toMatchObject({ attempts: 1, failure: 'The model is away.', doneAt: null })
  for (const later of [6, 20, 60, 200, 1000]) await work(broken, minutes(later))
  expect(await jobOf(job)).toMatchObject({ attempts: 5, doneAt: null })
  await recipe.db.job.update({ where: { id: job }, data: { attempts: 4 } })
  await work(parts(), minutes(3000))
  expect(await summariesOf(id)).toBe(1)
})

test('after a failure of the server another attempt writes', async () => {
  const id = await article('Broken.')
  const job = await ask(id, ann)
  await recipe.db.$executeRawUnsafe('ALTER TABLE Summary RENAME TO Away')
  await work(parts())
  await recipe.db.$executeRawUnsafe('ALTER TABLE Away RENAME TO Summary')
  expect(await jobOf(job)).toMatchObject({ failure: 'Internal Server Error', doneAt: null })
  await work(parts(), minutes(6))
  expect(await jobOf(job)).toMatchObject({ attempts: 2, doneAt: expect.any(Date) })
  expect(await summariesOf(id)).toBe(1)
})
