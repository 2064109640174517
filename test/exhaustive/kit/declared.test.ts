import type { SchemaClass } from '@prismapi/jsonapi/schema/schema'
import { conformance } from '@prismapi/testing/kit'
import type { Middleware } from 'koa'
import { Schema } from 'prismapi'
import { expect, test } from 'vitest'
import V1 from '../../../src/app/v1/server.ts'
import { failureOf, useTested } from '../../support/kit.ts'
import { asking, changing } from '../../support/sabotage.ts'
import { exampleWith } from '../../support/servers.ts'

// `conformance` asks for the filters and sorts that a schema class declares.

class TagSchema extends Schema<'Tag'> {
  override filters() {
    return [
      this.filter('above', { kind: 'integer', where: (id: number) => ({ id: { gt: id } }) }),
      this.filter('kind', { values: ['picked', 'other'], where: (kind) => ({ name: kind }) }),
    ]
  }

  override sorts() {
    return [this.sort('handy', '-name'), this.sort('popular', '-posts.count')]
  }
}

let spoil: Middleware
const [own] = (await exampleWith(V1)).servers
const schemas = new Map<string, SchemaClass>([...(own?.schemas ?? []), ['Tag', TagSchema]])
const parts = await exampleWith(V1, { schemas })
const { tested } = useTested({ parts, callers: { guest: {} }, before: (ctx, next) => spoil(ctx, next) })

async function faults(how: Middleware) {
  spoil = how
  const message = await failureOf(conformance(tested, { links: 0 }), 'v1 answers guest as JSON:API says: tags')
  return message.split('\n  ')
}

test('they are in order', async () => {
  const asked: string[] = []
  const how: Middleware = (ctx, next) => {
    if (/(?:filter|sort)/.test(ctx.url)) asked.push(decodeURIComponent(ctx.url).slice('/api/v1/tags?'.length))
    return next()
  }
  expect(await faults(how)).toEqual(['nothing failed'])
  expect(asked.filter((url) => /above|kind|handy|popular/.test(url))).toEqual([
    'sort=handy',
    'sort=-handy',
    'sort=popular',
    'sort=-popular',
    'filter[above]=1',
    'filter[above]=no-such-value',
    'filter[kind]=picked',
    'filter[kind]=no-such-value',
  ])
})

test('a filter that fails', async () => {
  const how: Middleware = async (ctx, next) => {
    await next()
    if (decodeURIComponent(ctx.url).endsWith('filter[above]=1')) ctx.status = 500
  }
  expect(await faults(how)).toEqual(
    expect.arrayContaining([
      'GET /api/v1/tags?filter[above]=1 as guest: the status is 500, not 200 or 400 or 422 or 401 or 403',
    ]),
  )
})

test('a filter that takes what is no value', async () => {
  expect(await faults(asking('filter[kind]=no-such-value', ''))).toEqual([
    'Not what JSON:API 1.0 says:',
    'GET /api/v1/tags?filter[kind]=no-such-value as guest: the status is 200, not 400',
  ])
})

test('a sort that orders the other way', async () => {
  expect(await faults(changing(/sort=handy$/, ({ data }) => void data.reverse()))).toEqual([
    'Not what JSON:API 1.0 says:',
    'GET /api/v1/tags?sort=handy as guest: data is in another order',
  ])
})
