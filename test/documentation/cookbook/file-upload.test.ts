import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { useRecipe } from '../../support/cookbook/recipe.ts'
import { raw } from '../../support/raw.ts'

const recipe = useRecipe('file-upload')
const ann = 'ann@example.com'
const ben = 'ben@example.com'

test('the files of the page compile', () => {
  expect(recipe.compile()).toEqual([])
})

test('everything is answered as the page shows it', async () => {
  const { shown, seen } = await recipe.follow()
  expect(seen).toEqual(shown)
})

const most = 10 * 1024 * 1024

async function send(as: string, body: FormData) {
  const headers = { Authorization: `Bearer ${await recipe.tokenOf(as)}` }
  const response = await fetch(recipe.url('/uploads'), { method: 'POST', headers, body })
  return { status: response.status, body: (await response.json()) as { meta: { upload: string } } }
}

function upload(as: string, text: string) {
  const body = new FormData()
  body.set('file', new Blob([text], { type: 'text/plain' }), 'note.txt')
  return send(as, body)
}

const create = (as: string, token: string) =>
  recipe.ask('POST /api/v1/documents', {
    as,
    body: { data: { type: 'documents', attributes: { title: 'Note', upload: token } } },
  })

test('a form of a browser is taken, and its token is good once, for who uploaded it', async () => {
  const { meta } = (await upload(ann, 'A note')).body
  expect((await create(ben, meta.upload)).status).toBe(422)
  expect((await create(ann, meta.upload)).body.data.attributes).toMatchObject({ fileName: 'note.txt', size: 6 })
  expect((await create(ann, meta.upload)).status).toBe(409)
})

test('a guest uploads nothing', async () => {
  expect((await recipe.ask('POST /uploads')).status).toBe(401)
  const forged = await recipe.ask('POST /uploads', { headers: { Authorization: 'Bearer forged' } })
  expect(forged.status).toBe(401)
})

test('a form in chunks is refused: each of them could be a byte', async () => {
  const headers = {
    Authorization: `Bearer ${await recipe.tokenOf(ann)}`,
    'Content-Type': 'multipart/form-data; boundary=cut',
    'Transfer-Encoding': 'chunked',
  }
  const { status, body } = await raw(recipe.url('/uploads'), {
    method: 'POST',
    headers,
    body: [Buffer.from('--c'), Buffer.from('ut')],
  })
  expect({ status, body }).toEqual({
    status: 411,
    body: { jsonapi: { version: '1.0' }, errors: [{ status: '411', title: 'Length Required' }] },
  })
})

test.each<[string, number, Readonly<Record<string, readonly [string, number][]>>]>([
  ['a byte more than ten mebibytes', 400, { file: [['text/plain', most + 1]] }],
  ['much more than ten mebibytes', 413, { file: [['text/plain', most + 100_000]] }],
  ['two files', 400, { file: [['text/plain', 10]], other: [['text/plain', 10]] }],
  [
    'two files of one name',
    400,
    {
      file: [
        ['text/plain', 10],
        ['text/plain', 10],
      ],
    },
  ],
  ['a file beside one of another kind', 400, { file: [['text/plain', 10]], other: [['text/html', 10]] }],
  ['a file of another name', 400, { other: [['text/plain', 10]] }],
])('%s: %i, and nothing of it is kept', async (_what, expected, files) => {
  const folder = path.join(recipe.folder, 'storage')
  const before = readdirSync(folder)
  const form = new FormData()
  for (const [name, sent] of Object.entries(files))
    for (const [type, bytes] of sent) form.append(name, new Blob(['x'.repeat(bytes)], { type }), 'note.txt')
  expect((await send(ann, form)).status).toBe(expected)
  expect(readdirSync(folder)).toEqual(before)
})

test('a link is good as it is, and no other', async () => {
  const { meta } = (await upload(ann, 'A secret')).body
  const { url } = (await create(ann, meta.upload)).body.data.attributes
  expect((await recipe.ask(`GET ${url}`)).body).toBe('A secret')
  expect((await recipe.ask(`GET ${url.replace(/until=./, 'until=9')}`)).status).toBe(404)
  expect((await recipe.ask(`GET ${url.split('?')[0]}`)).status).toBe(404)
})

test('the file goes with its document', async () => {
  const { meta } = (await upload(ann, 'Not for long')).body
  const { id } = (await create(ann, meta.upload)).body.data
  const { storageKey } = await recipe.db.document.findUnique({ where: { id: Number(id) } })
  const file = path.join(recipe.folder, 'storage', storageKey)
  expect(existsSync(file)).toBe(true)
  expect((await recipe.ask(`DELETE /api/v1/documents/${id}`, { as: ben })).status).toBe(404)
  expect((await recipe.ask(`DELETE /api/v1/documents/${id}`, { as: ann })).status).toBe(204)
  await expect.poll(() => existsSync(file)).toBe(false)
})
