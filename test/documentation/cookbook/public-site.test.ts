import { run } from '@prismapi/cli/run'
import { expect, test } from 'vitest'
import { readRecipe } from '../../support/cookbook/page.ts'
import { makeRecipeProject } from '../../support/cookbook/project.ts'
import { useRecipe } from '../../support/cookbook/recipe.ts'
import { provider } from '../../support/database.ts'

const recipe = useRecipe('public-site')

test('the files of the page compile', () => {
  expect(recipe.compile()).toEqual([])
})

test('everything is answered as the page shows it', async () => {
  const { shown, seen } = await recipe.follow()
  expect(seen).toEqual(shown)
})

const ann = 'ann@example.com'
const ids = async (path: string, as?: string) =>
  (await recipe.ask(`GET ${path}`, { ...(as && { as }) })).body.data.map(({ id }: { id: string }) => id)

test('the site knows published posts and their authors alone, whoever asks', async () => {
  for (const as of [undefined, ann]) {
    expect(await ids('/site/posts', as)).toEqual(['1'])
    expect(await ids('/site/users', as)).toEqual(['1'])
    expect(await ids('/site/users/1/posts', as)).toEqual(['1'])
    expect(await ids('/site/posts?filter[author.name]=Ben', as)).toEqual([])
  }
  expect((await recipe.ask('GET /site/users/2')).status).toBe(404)
  expect((await recipe.ask('GET /site/posts?filter[note]=x')).status).toBe(400)
  expect(await ids('/api/v1/posts?sort=id', ann)).toEqual(['1', '2', '3'])
})

test('no route of it writes', async () => {
  const data = { type: 'posts', id: '1', attributes: { title: 'Mine' } }
  const asked = [
    'PATCH /site/posts/1',
    'DELETE /site/posts/1',
    'PATCH /site/posts/1/relationships/author',
    'POST /site/users/1/relationships/posts',
  ]
  for (const start of asked) {
    const { status, headers } = await recipe.ask(start, { as: ann, body: { data } })
    expect({ start, status, allow: headers.get('Allow') }).toEqual({ start, status: 405, allow: 'GET, HEAD, QUERY' })
  }
  expect(await recipe.db.post.count({ where: { title: 'Mine' } })).toBe(0)
  expect((await recipe.ask('PATCH /api/v1/posts/1', { as: ann, body: { data } })).status).toBe(200)
})

/** What a command prints in a folder. */
async function prismapi(folder: string, ...words: string[]) {
  const said: string[] = []
  const say = (text: string) => void said.push(text)
  const status = await run(words, folder, { say, complain: say, paint: (_, text) => text })
  return { status, said: said.join('\n') }
}

test('the sentences of the page are proven', async () => {
  const { status, said } = await prismapi(recipe.folder, 'policies', 'assert')
  expect({ status, said, sentences: said.match(/\(on site\)/g)?.length }).toEqual({ status: 0, said, sentences: 3 })
})

test('without the scopes of the first server, the start and doctor warn', async () => {
  const page = readRecipe('public-site', provider)
  const files = page.files.map((file) => ({ ...file, code: file.code.replace(/ +phase\.scope\('\w+', \{\}\)\n/g, '') }))
  const project = await makeRecipeProject({ ...page, files })
  try {
    const warnings: string[] = []
    const warn = (about: object | string, text?: string) => void warnings.push(text ?? String(about))
    const { makeApi } = await import(`${project.folder}/src/app/api.ts`)
    await makeApi({ ...recipe.parts, logger: { ...recipe.parts.logger, warn } })
    expect(warnings.filter((line) => line.includes('has a scope')).join('\n')).toBe(recipe.shown('warnings').trim())
    const { said } = await prismapi(project.folder, 'doctor')
    // doctor breaks its lines at 80 columns.
    for (const line of recipe.shown('warnings').trim().split('\n')) expect(said.replaceAll(/\s+/g, ' ')).toContain(line)
    expect((await prismapi(recipe.folder, 'doctor')).said).not.toContain('has a scope')
  } finally {
    project.remove()
  }
})
