import { expect, onTestFinished, test, vi } from 'vitest'
import { putFields, touched } from '../src/forms/sent-fields.ts'

const documentOf = (sent: Readonly<Record<string, string>>, options = {}) => {
  const document = { data: { type: 'videos' } }
  putFields(new URLSearchParams(sent), document, options)
  return document
}

test('what a form sends becomes the document of a client', () => {
  expect(
    documentOf({
      'string!:/data/attributes/title': 'Two\r\nlines',
      'string?:/data/attributes/note': '',
      'string!:/data/attributes/url': '',
      'number?:/data/attributes/rating': '4.5',
      'number:/data/attributes/length': 'long',
      'boolean:/data/attributes/featured': 'false',
      'datetime?:/data/attributes/at': '2020-01-02T03:04',
      'datetime?:/data/attributes/from': '2020-01-02T03:04:05.060',
      'json:/data/attributes/more': '{"a":[1]}',
      'one? users:/data/relationships/owner/data': ' 3 ',
      'one?!:/data/relationships/about/data': '7',
      'type:/data/relationships/about/data': 'posts',
      'many tags:/data/relationships/tags/data': '1, 2,',
      'many users:/data/relationships/fans/data': ' ',
      'string:/data/id': 'own',
      'string:/data/type': 'users',
      'string:/meta/x': 'x',
      '-seal': 'x',
    }),
  ).toEqual({
    data: {
      type: 'videos',
      id: 'own',
      attributes: {
        ...{ title: 'Two\nlines', url: '', rating: 4.5, length: 'long', featured: false },
        ...{ at: '2020-01-02T03:04:00Z', from: '2020-01-02T03:04:05.060Z', more: { a: [1] } },
      },
      relationships: {
        owner: { data: { type: 'users', id: '3' } },
        about: { data: { type: 'posts', id: '7' } },
        tags: {
          data: [
            { type: 'tags', id: '1' },
            { type: 'tags', id: '2' },
          ],
        },
      },
    },
  })
})

test('what is empty in an update is emptied', () => {
  const sent = { 'string:/data/attributes/title': '', 'number?:/data/attributes/rating': '' }
  expect(documentOf(sent, { isUpdate: true })).toEqual({
    data: { type: 'videos', attributes: { title: '', rating: null } },
  })
})

test('a control that is named again and again is looked at once', () => {
  const control = 'json:/data/attributes/more'
  const marks = Array.from({ length: 900 }, (): [string, string] => [`-was.${control}`, 'x'])
  const parse = vi.spyOn(JSON, 'parse')
  onTestFinished(() => parse.mockRestore())
  expect([...touched(new URLSearchParams([[control, '[1]'], ...marks]))]).toEqual([[control, '[1]']])
  expect(parse).toHaveBeenCalledTimes(1)
})
