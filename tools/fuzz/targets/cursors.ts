import { CursorPagination, CursorProfilePagination } from '@prismapi/jsonapi/pagination/cursor-pagination'
import { type CursorPosition, cursorSeal } from '@prismapi/jsonapi/pagination/cursor-seal'
import { MultiPagination } from '@prismapi/jsonapi/pagination/multi-pagination'
import { PagePagination } from '@prismapi/jsonapi/pagination/page-pagination'
import { wellFormedParameters } from '@prismapi/jsonapi/query/parameters'
import { toPage } from '@prismapi/jsonapi/query/parse'
import fc from 'fast-check'
import { expectSame, parsedOr, type Target } from '../target.ts'

const { seal, open } = cursorSeal('the secret of the fuzzer, which is long enough')
const sealed = [null, 'an id', [1, 'text'], [null, true, -0.5], []].map((place) =>
  seal('posts', place as CursorPosition),
)
const paginators = [
  new PagePagination(),
  new CursorPagination(),
  new CursorProfilePagination(),
  new CursorProfilePagination().withoutRanges(),
  new MultiPagination([new PagePagination(), new CursorPagination()]),
]
const limits = { perPage: 15, maxPageSize: 100 }
const words = [
  'page[after]=',
  'page[before]=',
  'page[size]=',
  'page[limit]=',
  'page[number]=',
  '&',
  '1',
  '0',
  '-',
  ...sealed,
]

/** No text is a cursor but those that were sealed; pages are read or 400; what is sealed is opened as it was. */
export const cursors: Target = {
  name: 'cursors',
  words,
  inputs: fc
    .array(fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...words) }, fc.json({ maxDepth: 1 })), { maxLength: 8 })
    .map((all) => all.join('')),
  check(input) {
    const place = open('posts', input)
    if (place !== undefined) expectSame(input, seal('posts', place), input)
    if (open('comments', input) !== undefined) throw new Error('It is a cursor of another list')
    const own = [input, input.length, null]
    expectSame(own, open('posts', seal('posts', own)), input)
    const params = toPage(
      wellFormedParameters({ search: input }).filter(({ family, path }) => family === 'page' && path.length === 1),
    )
    if (params) for (const paginator of paginators) parsedOr([400], () => paginator.parse(params, limits))
  },
}
