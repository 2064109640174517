import { date, enumOf, integer, meta, object, Schema, time } from 'prismapi'
import { describe, expect, test } from 'vitest'
import { badParameter, expectAnswer, expectErrors } from '../../support/answers.ts'
import { openServer, pathOf, type Query, urlOf } from '../../support/open-server.ts'
import { inPlace } from '../../support/openapi-in-place.ts'
import { jsonapi } from '../../support/row-documents.ts'
import { addPost } from '../../support/rows.ts'
import { useServers } from '../../support/servers.ts'

// Rules of what clients ask with: of declared filters, and of actions by GET.

class Posts extends Schema<'Post'> {
  override filters() {
    return [
      this.filter('day', {
        rule: date(),
        where: (day) => ({ createdAt: { gte: new Date(`${day}T00:00:00Z`), lt: new Date(`${day}T24:00:00Z`) } }),
      }),
      this.filter('days', {
        rule: date(),
        list: true,
        where: (days) => ({ OR: days.map((day) => ({ createdAt: new Date(`${day}T09:00:00Z`) })) }),
      }),
      this.filter('longerThan', { rule: integer().min(1).max(9), where: (words) => ({ id: { gt: words } }) }),
    ]
  }

  override actions() {
    return [
      this.action('slots', {
        on: 'collection',
        method: 'GET',
        query: {
          day: date().required(),
          party: integer().min(1),
          after: time(),
          order: enumOf(['early', 'late']),
          near: object({ floor: integer() }),
        },
        handle: ({ query }) => meta({ ...query, isNumber: typeof query.party === 'number' }),
      }),
      this.action('onDay', {
        on: 'collection',
        method: 'GET',
        query: { day: date().required() },
        handle: ({ query: { day }, db }) => db.post.findMany({ where: { createdAt: new Date(`${day}T09:00:00Z`) } }),
      }),
    ]
  }
}
class Tags extends Schema<'Tag'> {}
class Users extends Schema<'User'> {
  override filters() {
    return [this.filter('joinedOn', { rule: date(), where: (day) => ({ createdAt: new Date(`${day}T00:00:00Z`) }) })]
  }
}

const schemas = { Post: Posts, Tag: Tags, User: Users }
const servers = useServers(() => ({ policies: new Map(), servers: [openServer('ruled', schemas)] }))
const ask = (path: string, query: Query = {}) => servers.as(null)('GET', pathOf('ruled', path, query))

const dateFault = (name: string) => `The ${name} field must be a date such as 2026-11-27.`

describe('a declared filter with a rule', () => {
  const idsOf = async (query: Query) => {
    const { status, body } = await ask('/posts', { 'fields[posts]': 'title', ...query })
    expect(status).toBe(200)
    return body.data.map(({ id }: { id: string }) => Number(id))
  }
  const addOn = async (day: string) => (await addPost(servers.db, { createdAt: new Date(`${day}T09:00:00Z`) })).id

  test('gets what the rule lets pass, in its type', async () => {
    const [first, second] = [await addOn('2031-11-27'), await addOn('2031-11-28')]
    expect(await idsOf({ 'filter[day]': '2031-11-27' })).toEqual([first])
    expect(await idsOf({ 'filter[days]': '2031-11-27,2031-11-28', sort: 'id' })).toEqual([first, second])
    expect(await idsOf({ 'filter[longerThan]': 3, 'filter[id][lte]': 5, sort: 'id' })).toEqual([4, 5])
  })

  test.each([
    ['filter[day]', 'nonsense', dateFault('day')],
    ['filter[day]', '2026-02-30', dateFault('day')],
    ['filter[day]', '2026-11-27T00:00:00Z', dateFault('day')],
    ['filter[days]', '2026-11-27,2026-11-31', dateFault('days')],
    ['filter[longerThan]', '0', 'The longer than field must be at least 1.'],
    ['filter[longerThan]', '10', 'The longer than field must not be greater than 9.'],
    ['filter[longerThan]', 'x', 'The longer than field must be an integer.'],
    ['filter[or][0][day]', 'nonsense', dateFault('day')],
  ])('is 400 at the parameter for what the rule refuses: %s=%s', async (key, value, detail) => {
    expectErrors(await ask('/posts', { [key]: value }), badParameter(key, detail))
  })

  test('across a relation, too', async () => {
    const key = 'filter[author][joinedOn]'
    expectErrors(await ask('/posts', { [key]: 'nonsense' }), badParameter(key, dateFault('joined on')))
  })
})

describe('an action by GET', () => {
  test('finds its parameters in `query`, in the types of their rules', async () => {
    const query = { day: '2026-11-27', 'near[floor]': 2, party: 4 }
    expectAnswer(await ask('/posts/-actions/slots', query), 200, {
      jsonapi,
      links: { self: urlOf('ruled', '/posts/-actions/slots', query) },
      meta: { day: '2026-11-27', party: 4, near: { floor: 2 }, isNumber: true },
    })
  })

  test('answers rows beside the parameters of JSON:API', async () => {
    const { id } = await addPost(servers.db, { createdAt: new Date('2032-01-01T09:00:00Z') })
    const query = { day: '2032-01-01', 'fields[posts]': 'createdAt' }
    expectAnswer(await ask('/posts/-actions/onDay', query), 200, {
      jsonapi,
      links: { self: urlOf('ruled', '/posts/-actions/onDay', query) },
      data: [
        {
          type: 'posts',
          id: String(id),
          attributes: { createdAt: '2032-01-01T09:00:00.000Z' },
          links: { self: urlOf('ruled', `/posts/${id}`) },
        },
      ],
    })
  })

  test('is 400 at each parameter that a rule refuses', async () => {
    const query = { party: 0, after: '9:30', order: 'soon', 'near[floor]': 'x' }
    expectErrors(
      await ask('/posts/-actions/slots', query),
      badParameter('day', 'The day field is required.'),
      badParameter('party', 'The party field must be at least 1.'),
      badParameter('after', 'The after field must be a time such as 09:30:00.'),
      badParameter('order', 'The order field must be one of early, late.'),
      badParameter('near[floor]', 'The near.floor field must be an integer.'),
    )
  })

  test('is 400 for a parameter that it has no rule for', async () => {
    expectErrors(
      await ask('/posts/-actions/slots', { day: '2026-11-27', days: 'x' }),
      badParameter('days', 'Query parameter days is not allowed.'),
    )
  })

  test('says its parameters in the OpenAPI document', async () => {
    const { body } = await ask('/openapi.json')
    const { parameters } = body.paths['/api/ruled/posts/-actions/slots'].get
    expect(parameters.slice(0, 3)).toEqual([
      {
        name: 'day',
        in: 'query',
        description: '`day` of the action.',
        required: true,
        schema: { type: 'string', format: 'date', minLength: 1 },
      },
      { name: 'party', in: 'query', description: '`party` of the action.', schema: { type: 'integer', minimum: 1 } },
      {
        name: 'after',
        in: 'query',
        description: '`after` of the action.',
        schema: { type: 'string', pattern: '^\\d{2}:\\d{2}(?::\\d{2}(?:\\.\\d{1,3})?)?$' },
      },
    ])
    const { parameters: asked } = inPlace(body, 'parameters').paths['/api/ruled/posts'].get
    expect(asked.find(({ name }: { name: string }) => name === 'filter[day]').schema).toEqual({
      type: 'string',
      format: 'date',
    })
  })
})
