import { expect, test } from 'vitest'
import { docsPage } from '../../../src/browse/frame/docs.ts'
import { english } from '../../../src/document/language.ts'
import { compiledApi } from '../../support/api-files.ts'
import { largeSchema } from '../../support/large-schema.ts'

const viewer = { type: 'text/javascript', text: '', hash: 'hash' }
const specOf = (page: string) => /data-document="([^"]+)"/.exec(page)?.[1]

test('the reference of a server with few relations is the whole', () => {
  const page = docsPage(english, compiledApi({}), viewer, { named: null, menu: null })
  expect([specOf(page), page.includes('<form')]).toEqual(['/api/v1/docs/openapi.json', false])
})

test('of a server with many it is that of one type, and leads to the others', () => {
  const server = compiledApi({ prisma: largeSchema(120) })
  const menu = [...server.schemas.byType.keys()]
  const types = menu
  const first = docsPage(english, server, viewer, { named: null, menu })
  const asked = docsPage(english, server, viewer, { named: new Set(types.slice(7, 8)), menu })
  expect([specOf(first), specOf(asked)]).toEqual([
    `/api/v1/docs/openapi.json?types=${types[0]}`,
    `/api/v1/docs/openapi.json?types=${types[7]}`,
  ])
  expect(asked.match(/<option/g)).toHaveLength(120)
  expect(asked).toContain(`<option selected>${types[7]}</option>`)
})
