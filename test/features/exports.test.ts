import { describe, expect, test } from 'vitest'
import { useApi, users } from '../support/api.ts'

// Collections and groups as CSV and NDJSON: docs/exports.md.

const api = useApi()

type Headers = Readonly<Record<string, string>>

async function ask(path: string, headers: Headers = {}, method = 'GET') {
  const authorization = await api.authorization(users.admin)
  const response = await fetch(api.url(path), { method, headers: { accept: 'text/csv', authorization, ...headers } })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const linesOf = ({ text }: { text: string }) => text.split('\r\n')

const errorOf = ({ status, text }: { status: number; text: string }) => {
  const [{ code, detail, source }] = JSON.parse(text).errors
  return { status, ...(code && { code }), detail, source }
}

describe('a collection as CSV', () => {
  test('has a line for each row, in the order of sort, and a cell for each field', async () => {
    const author = await api.make.user.create({})
    const make = (title: string, content: string) =>
      api.make.post.create({ authorId: author.id, title, content, synopsis: null, publishedAt: new Date(0) })
    const [one, two] = [await make('One', 'Plain'), await make('Two', 'a "b",\nc')]
    const answer = await ask(
      `/posts?filter[author]=${author.id}&sort=-title&fields[posts]=title,content,synopsis,publishedAt,author`,
    )
    expect({ status: answer.status, text: answer.text }).toEqual({
      status: 200,
      text: [
        'id,title,content,synopsis,publishedAt,author',
        `${two.id},Two,"a ""b"",\nc",,1970-01-01T00:00:00.000Z,${author.id}`,
        `${one.id},One,Plain,,1970-01-01T00:00:00.000Z,${author.id}`,
        '',
      ].join('\r\n'),
    })
    expect(Object.fromEntries([...answer.headers].filter(([name]) => told.has(name)))).toEqual({
      'cache-control': 'no-store',
      'content-disposition': 'attachment; filename="posts.csv"',
      'content-type': 'text/csv; charset=utf-8; header=present',
      vary: 'Accept',
      'x-content-type-options': 'nosniff',
    })
  })

  const told = new Set(['cache-control', 'content-disposition', 'content-type', 'vary', 'x-content-type-options'])

  test('has all attributes and the relations that rows have in themselves, where fields names none', async () => {
    const [head] = linesOf(await ask('/posts?filter[id]=0'))
    expect(head).toBe('id,title,slug,content,synopsis,publishedAt,createdAt,updatedAt,author')
  })

  test('has nothing but the head where no row is found, and nothing but ids where fields is empty', async () => {
    expect((await ask('/tags?filter[id]=0')).text).toBe('id,name\r\n')
    expect((await ask('/tags?filter[id]=1&fields[tags]=')).text).toBe('id\r\n1\r\n')
  })

  test.each([
    ['=1+1', `"'=1+1"`],
    ['+49 30 1234', `"'+49 30 1234"`],
    ['-5', '"-5"'],
    ['-a', `"'-a"`],
    ['@SUM(A1)', `"'@SUM(A1)"`],
    ['\tx', `"'\tx"`],
    ['＝1', `"'＝1"`],
    ['', '""'],
    ['a=b', 'a=b'],
    ["'quoted'", "'quoted'"],
    ['Straße 😀', 'Straße 😀'],
    ['two\r\nlines', '"two\r\nlines"'],
  ])('has the text %j as a spreadsheet reads it', async (content, cell) => {
    const { id } = await api.make.post.create({ content, publishedAt: new Date(0) })
    expect((await ask(`/posts?filter[id]=${id}&fields[posts]=content`)).text).toBe(`id,content\r\n${id},${cell}\r\n`)
  })

  test('has to-many relations as ids, where fields names them', async () => {
    const { id } = await api.make.post.create({ publishedAt: new Date(0) })
    await api.db.post.update({ where: { id }, data: { tags: { connect: [{ id: 1 }, { id: 2 }] } } })
    expect((await ask(`/posts?filter[id]=${id}&fields[posts]=tags`)).text).toBe(`id,tags\r\n${id},"[""1"",""2""]"\r\n`)
  })

  test('has a polymorphic relation with its type', async () => {
    const post = await api.make.post.create({ publishedAt: new Date(0) })
    const { id } = await api.make.comment.create({ postId: post.id })
    const { text } = await ask(`/comments?filter[id]=${id}&fields[comments]=commentable`)
    expect(text).toBe(`id,commentable\r\n${id},posts/${post.id}\r\n`)
  })

  test('is of the targets of a relation as well, whose parent has to be seen', async () => {
    const post = await api.make.post.create({ publishedAt: new Date(0) })
    const { id } = await api.make.comment.create({ postId: post.id, content: 'Hello' })
    const answer = await ask(`/posts/${post.id}/comments?fields[comments]=content`)
    expect([answer.text, answer.headers.get('content-disposition')]).toEqual([
      `id,content\r\n${id},Hello\r\n`,
      'attachment; filename="comments.csv"',
    ])
    expect((await ask('/posts/0/comments')).status).toBe(404)
  })

  test('has what GET shows of 2,500 rows, in the same order, whether an index has it or not', async () => {
    const author = await api.make.user.create({})
    const rows = Array.from({ length: 2500 }, (_, i) => ({
      ...{ title: `Title ${i % 7}`, slug: `export-${i}`, content: 'x', authorId: author.id },
      ...{ publishedAt: new Date(0), updatedAt: new Date(0), createdAt: new Date(1_700_000_000_000 + (i % 90) * 1000) },
    }))
    await api.db.post.createMany({ data: rows })
    for (const sort of ['createdAt', '-createdAt,id', 'title,-slug', 'author.name,-id', 'synopsis']) {
      const exported = linesOf(await ask(`/posts?filter[author]=${author.id}&sort=${sort}&fields[posts]=`)).slice(1, -1)
      const paged: string[] = []
      for (let number = 1; number <= 3; number++) {
        const path = `/posts?filter[author]=${author.id}&sort=${sort}&fields[posts]=&page[size]=1000&page[number]=${number}`
        const { body } = await api.as(users.admin).get(path)
        paged.push(...body.data.map(({ id }: { id: string }) => id))
      }
      expect(exported, sort).toEqual(paged)
    }
  })
})

describe('a collection as NDJSON', () => {
  test('has an object on each line', async () => {
    const author = await api.make.user.create({})
    const { id } = await api.make.post.create({
      ...{ authorId: author.id, title: 'A "b"', content: 'x\ny', synopsis: null, publishedAt: new Date(0) },
    })
    await api.db.post.update({ where: { id }, data: { tags: { connect: [{ id: 1 }] } } })
    const path = `/posts?filter[id]=${id}&fields[posts]=title,content,synopsis,publishedAt,author,tags`
    const answer = await ask(path, { accept: 'application/x-ndjson' })
    expect(answer.text).toBe(
      `{"id":"${id}","title":"A \\"b\\"","content":"x\\ny","synopsis":null,"publishedAt":"1970-01-01T00:00:00.000Z","author":"${author.id}","tags":["1"]}\n`,
    )
    expect([answer.headers.get('content-type'), answer.headers.get('content-disposition')]).toEqual([
      'application/x-ndjson; charset=utf-8',
      'attachment; filename="posts.ndjson"',
    ])
  })
})

test('groups are exported with their keys and figures', async () => {
  const author = await api.make.user.create({})
  const make = (publishedAt: string) =>
    api.make.post.create({ authorId: author.id, publishedAt: new Date(publishedAt) })
  for (const at of ['2020-01-05T00:00:00Z', '2020-01-07T00:00:00Z', '2021-03-01T00:00:00Z']) await make(at)
  const path = `/api/v2/posts/-stats?groupBy=publishedAt:year,author&filter[author]=${author.id}`
  const answer = await ask(path)
  expect([answer.text, answer.headers.get('content-disposition')]).toEqual([
    `publishedAt:year,author,count\r\n2020,${author.id},2\r\n2021,${author.id},1\r\n`,
    'attachment; filename="posts-stats.csv"',
  ])
  expect((await ask(path, { accept: 'application/x-ndjson' })).text).toBe(
    [
      `{"publishedAt:year":"2020","author":"${author.id}","count":2}`,
      `{"publishedAt:year":"2021","author":"${author.id}","count":1}`,
      '',
    ].join('\n'),
  )
})

describe('what is asked for', () => {
  test.each([
    ['text/csv', 'text/csv'],
    ['TEXT/CSV;charset=utf-8', 'text/csv'],
    ['text/csv, */*;q=0.5', 'text/csv'],
    ['application/x-ndjson, text/csv;q=0.9', 'application/x-ndjson'],
    ['text/csv;q=0.5, application/vnd.api+json', 'application/vnd.api+json'],
    ['text/csv, application/vnd.api+json', 'application/vnd.api+json'],
    ['text/csv, */*', 'text/csv'],
    ['application/x-ndjson, application/*;q=0.9', 'application/x-ndjson'],
    ['text/csv;q=0.5, */*', 'application/vnd.api+json'],
  ])('by Accept: %s is %s', async (accept, mediaType) => {
    const { status, headers } = await ask('/tags', { accept })
    expect([status, headers.get('content-type')?.split(';')[0]]).toEqual([200, mediaType])
  })

  test.each(['/posts/1', '/posts/1/author', '/posts/1/relationships/tags', ''])(
    'is 406 at "%s", which has no rows to export',
    async (path) => expect((await ask(path)).status).toBe(406),
  )

  test.each(['page[size]=1', 'include=author', 'withCount=tags', 'page[number]=2'])('is 400 with %s', async (query) => {
    const [key = ''] = query.split('=')
    expect(errorOf(await ask(`/posts?${query}`))).toEqual({
      status: 400,
      detail: `An export has all rows, and no resources beside them: leave out ${key}.`,
      source: { parameter: key },
    })
  })

  test('is refused as GET refuses it', async () => {
    expect(errorOf(await ask('/posts?sort=nothing'))).toEqual({
      status: 400,
      detail: 'Sort parameter nothing is not allowed.',
      source: { parameter: 'sort' },
    })
  })

  test('may be asked by HEAD and by QUERY', async () => {
    const head = await ask('/tags', {}, 'HEAD')
    expect([head.status, head.text, head.headers.get('content-type'), head.headers.get('content-disposition')]).toEqual(
      [...[200, '', 'text/csv; charset=utf-8; header=present', 'attachment; filename="tags.csv"']],
    )
    const response = await fetch(api.url('/tags'), {
      method: 'QUERY',
      headers: { accept: 'text/csv', 'content-type': 'application/x-www-form-urlencoded' },
      body: 'filter[id]=1&fields[tags]=name',
    })
    expect(await response.text()).toBe((await ask('/tags?filter[id]=1&fields[tags]=name')).text)
  })
})

test('a guest exports what guests see', async () => {
  const draft = await api.make.post.create({ publishedAt: null })
  const path = `/posts?filter[id]=${draft.id}&fields[posts]=title`
  const response = await fetch(api.url(path), { headers: { accept: 'text/csv' } })
  expect([await response.text(), (await ask(path)).text]).toEqual([
    'id,title\r\n',
    `id,title\r\n${draft.id},${draft.title}\r\n`,
  ])
})
