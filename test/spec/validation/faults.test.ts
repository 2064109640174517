import { ResourceQuery, ResourceRequest, type RowOf, Schema, string } from 'prismapi'
import type { Validator, Values } from 'prismapi/rules'
import { describe, expect, test } from 'vitest'
import { mediaType } from '../../support/api.ts'
import { openServer } from '../../support/open-server.ts'
import { jsonapi } from '../../support/row-documents.ts'
import { useServers } from '../../support/servers.ts'
import { snapshot } from '../../support/snapshot.ts'

// What the application's own rules and hooks do wrong is never the client's fault, and never its business.

const secret = 'the inside of the application'

function fault(): never {
  throw new TypeError(secret)
}

class Sound extends ResourceRequest<'Tag'> {
  override rules() {
    return { name: string().required() }
  }
}

/** One class for each place that can fail. */
const faults = {
  rules: class extends Sound {
    override rules(): ReturnType<Sound['rules']> {
      // Only when there is a request: at boot it would stop the start.
      return this.user === null ? fault() : super.rules()
    }
  },
  rule: class extends Sound {
    override rules() {
      return { name: string().required().test('broken', fault) }
    }
  },
  lateRule: class extends Sound {
    override rules() {
      return {
        name: string()
          .required()
          .test('late', async () => fault()),
      }
    }
  },
  unknownField: class extends Sound {
    override rules() {
      return this.validationData() ? ({ naem: string() } as never) : super.rules()
    }
  },
  messages: class extends Sound {
    override rules() {
      return { name: string().required().max(1) }
    }
    override messages() {
      return fault()
    }
  },
  withValidator: class extends Sound {
    override withValidator() {
      fault()
    }
  },
  after: class extends Sound {
    override withValidator(validator: Validator) {
      validator.after(async () => fault())
    }
  },
  tooEarly: class extends Sound {
    override withValidator() {
      this.validated()
    }
  },
  authorize: class extends Sound {
    override authorize() {
      return fault()
    }
  },
  withExisting: class extends Sound {
    override withExisting(_: RowOf<'Tag'>, __: Values) {
      return fault()
    }
  },
  deleteRules: class extends Sound {
    override deleteRules() {
      return this.model() ? { name: string().test('broken', fault) } : {}
    }
  },
  metaForDelete: class extends Sound {
    override async metaForDelete() {
      return fault()
    }
  },
} as const

class BrokenQuery extends ResourceQuery<'Tag'> {
  override rules() {
    return { include: string().test('broken', fault) }
  }
}

const servers = useServers(() => ({
  policies: new Map(),
  production: true,
  servers: [
    ...Object.entries(faults).map(([name, request]) =>
      openServer(name, { Tag: Schema }, { requests: { Tag: { request } } }),
    ),
    openServer('query', { Tag: Schema }, { requests: { Tag: { request: Sound, query: BrokenQuery } } }),
  ],
}))

const create = { method: 'POST', path: '/tags', body: { data: { type: 'tags', attributes: { name: 'fresh' } } } }
const update = {
  method: 'PATCH',
  path: '/tags/2',
  body: { data: { type: 'tags', id: '2', attributes: { name: 'fresh' } } },
}
const remove = { method: 'DELETE', path: '/tags/2' }

interface Asked {
  readonly method: string
  readonly path: string
  readonly body?: object
}

const cases: readonly (readonly [string, Asked])[] = [
  ...(['rules', 'rule', 'lateRule', 'messages', 'withValidator', 'after', 'tooEarly', 'unknownField'] as const).flatMap(
    (name) => [create, update].map((asked) => [name, asked] as const),
  ),
  ['authorize', create],
  ['withExisting', update],
  ['withExisting', remove],
  ['withValidator', remove],
  ['deleteRules', remove],
  ['metaForDelete', remove],
  ['query', { ...create, path: '/tags?include=posts' }],
]

describe('500 without detail, nothing is written, and the log has the cause:', () => {
  test.each(cases.map(([name, asked]) => [name, asked.method, asked] as const))('%s, on %s', async (name, _, asked) => {
    const before = await snapshot(servers.db)
    servers.logs.length = 0
    const { body } = asked
    const path = `/api/${name}${asked.path}`
    const answer = await servers.as(null)(asked.method, path, body === undefined ? {} : { body })

    expect(answer.status).toBe(500)
    expect(answer.headers.get('Content-Type')).toBe(mediaType)
    const [{ id }] = answer.body.errors
    expect(answer.body).toEqual({
      jsonapi,
      errors: [{ id: expect.stringMatching(/^[0-9a-f-]{36}$/), status: '500', title: 'Internal Server Error' }],
    })
    expect(answer.text).not.toContain(secret)

    const fields = { method: asked.method, path: path.split('?')[0], id, err: expect.any(Error) }
    expect(servers.logs).toEqual([{ level: 'error', fields, message: expect.any(String) }])
    expect(await snapshot(servers.db)).toEqual(before)
  })
})

test('the log has the very error', async () => {
  servers.logs.length = 0
  await servers.as(null)('POST', '/api/rule/tags', { body: create.body })
  expect(servers.logs[0]?.fields.err).toEqual(new TypeError(secret))
})
