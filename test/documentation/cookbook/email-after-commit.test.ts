import { createTransport, type SendMailOptions } from 'nodemailer'
import { beforeEach, expect, test } from 'vitest'
import { useRecipe } from '../../support/cookbook/recipe.ts'

let sent: SendMailOptions[] = []
const recipe = useRecipe('email-after-commit', {
  async parts(load) {
    const kept = (await load('test/kept-mails.ts')).keptMails()
    sent = kept.sent
    return { transport: kept.transport }
  },
})
beforeEach(() => void sent.splice(0))

const invite = (email: string, as = 'ann@example.com') =>
  recipe.ask('POST /api/v1/invitations', { as, body: { data: { type: 'invitations', attributes: { email } } } })
const ann = { id: 1, name: 'Ann' }
const makeApi = async (more: object = {}) => (await recipe.load('src/app/api.ts')).makeApi({ ...recipe.parts, ...more })
/** The header that a mail server is given. */
const header = (address: unknown): string => {
  const [{ name, address: at }] = [address].flat() as [{ readonly name: string; readonly address: string }]
  return name ? `${name} <${at}>` : at
}

test('the files of the page compile', () => {
  expect(recipe.compile()).toEqual([])
})

test('everything is answered as the page shows it, and one e-mail is sent', async () => {
  const { shown, seen } = await recipe.follow()
  expect(seen).toEqual(shown)
  await expect.poll(() => sent.length).toBe(1)
  const [{ from, to, subject, text } = {}] = sent
  expect({ from: header(from), to: header(to), subject, text }).toEqual(JSON.parse(recipe.shown('mail')))
})

test('nothing is sent for what was rolled back, nor before the commit', async () => {
  const caller = (await makeApi()).as(ann, { server: 'v1' })
  const work = (email: string, isUndone: boolean) =>
    caller.transaction(async (within: typeof caller) => {
      await within.create('Invitation', { email })
      expect(sent).toEqual([])
      if (isUndone) throw new Error('Undone.')
    })
  await expect(work('dan@example.com', true)).rejects.toThrow('Undone.')
  await work('eve@example.com', false)
  await expect.poll(() => sent.map(({ to }) => header(to))).toEqual(['eve@example.com'])
})

test('of ten that invite one address at once one is told so, and one e-mail is sent', async () => {
  const answers = await Promise.all(Array.from({ length: 10 }, () => invite('fay@example.com')))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(422)])
  await expect.poll(() => sent.length).toBe(1)
})

test('an invitation is stored where the mail server is away, and that is logged', async () => {
  const logged: unknown[] = []
  const logger = { debug() {}, info() {}, warn() {}, error: ({ err }: { err: Error }) => void logged.push(err.message) }
  const transport = createTransport({ jsonTransport: true })
  transport.use('compile', (_, done) => done(new Error('No mail server.')))
  const caller = (await makeApi({ transport, logger })).as(ann, { server: 'v1' })
  const { id } = await caller.create('Invitation', { email: 'gus@example.com' })
  await expect.poll(() => logged).toEqual(['No mail server.'])
  expect(await caller.find('Invitation', id)).toMatchObject({ email: 'gus@example.com' })
})

test('a list of addresses is no address', async () => {
  const { body } = await invite('a@example.com, b@example.com')
  expect(body.errors).toMatchObject([{ status: '422', source: { pointer: '/data/attributes/email' } }])
  expect(sent).toEqual([])
})
