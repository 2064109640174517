import { expect } from 'vitest'
import { JsonApiError } from '../../src/document/error.ts'
import type { Page, PageParams, PageSource, Paginator } from '../../src/pagination/paginator.ts'

export const limits = { perPage: 15, maxPageSize: 100 }

/** A page, asked for as a request does. */
export const readPage = async (paginator: Paginator, source: PageSource, params: PageParams = {}): Promise<Page> =>
  paginator.parse(params, limits).read(source)

/** The errors that a page request is refused with, as `[parameter, detail]`; each must be a 400. */
export async function refusals(paginator: Paginator, params: PageParams, source?: PageSource) {
  try {
    const request = paginator.parse(params, limits)
    if (source) await request.read(source)
  } catch (error) {
    if (!(error instanceof JsonApiError)) throw error
    return error.errors.map(({ status, title, source, detail }) => {
      expect([status, title]).toEqual(['400', 'Invalid Query Parameter'])
      return [source && 'parameter' in source ? source.parameter : null, detail]
    })
  }
  return expect.unreachable('nothing was refused')
}

/** What no count may be. */
export const badCounts = [
  '0',
  '-1',
  'abc',
  '1.5',
  '',
  '1e3',
  ' 1',
  '1 ',
  '1\n',
  '+1',
  '0x1',
  '00',
  '١',
  'Infinity',
  'NaN',
  'null',
  ['1', '2'],
  { a: '1' },
  null,
  true,
  0,
  -1,
  1.5,
  Number.NaN,
  Number.POSITIVE_INFINITY,
] as const
