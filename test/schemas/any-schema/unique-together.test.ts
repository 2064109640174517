import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { array, ResourceRequest, string, toOne as toOneRule, unique } from 'prismapi'
import type { RequestClasses } from 'prismapi/rules'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Generated, generate } from '../../support/any-schema/generate.ts'
import { serve } from '../../support/any-schema/open.ts'
import { toOne, useFixture } from '../../support/any-schema/use-fixture.ts'

// A name that the database has unique within an organization: `@@unique([organizationId, name])`.

class Teams extends ResourceRequest<'Tag'> {
  override rules() {
    return {
      name: string()
        .required()
        .test(unique({ with: ['organization'] })),
      organization: toOneRule().required(),
    } as never
  }
}

const only = (request: object): RequestClasses => ({ request: request as never, query: null, collectionQuery: null })

/** Says nothing: the constraint answers. */
class Labels extends ResourceRequest<'Tag'> {
  override rules() {
    return { name: string().required(), organization: toOneRule().required() } as never
  }
}

/** By the foreign key of a relation that clients know. */
class Projects extends ResourceRequest<'Tag'> {
  override rules() {
    return { key: string().test(unique('organizationId')), title: string(), organization: toOneRule() } as never
  }
}

describe('a name that is unique within an organization', () => {
  const api = useFixture('project', { requests: { Team: only(Teams), Label: only(Labels), Project: only(Projects) } })
  const organization = async (slug: string) =>
    toOne('organizations', await api.create('organizations', { slug, name: slug }))
  const named = { teams: { name: 'Core' }, labels: { name: 'Core' }, projects: { key: 'Core', title: 'A title' } }

  test.each(['teams', 'labels', 'projects'] as const)('of %s', async (type) => {
    const [one, other] = [await organization(`${type}-1`), await organization(`${type}-2`)]
    const create = (within: object, more: object = {}) =>
      api.ask('POST', `/${type}`, {
        data: { type, attributes: { ...named[type], ...more }, relationships: { organization: within } },
      })
    const field = type === 'projects' ? 'key' : 'name'
    const taken = { code: 'unique', detail: `The ${field} has already been taken.` }
    const refused = { status: '422', title: 'Unprocessable Entity', ...taken }
    expect((await create(one)).status).toBe(201)
    // What another organization has is neither refused nor told.
    expect((await create(other)).status).toBe(201)
    const again = await create(one)
    const pointer = `/data/attributes/${field}`
    expect([again.status, again.body.errors]).toEqual([422, [{ ...refused, source: { pointer } }]])
    const { body } = await create(one, { [field]: 'Other' })
    const rename = await api.ask('PATCH', `/${type}/${body.data.id}`, {
      data: { type, id: body.data.id, attributes: { [field]: 'Core' } },
    })
    expect([rename.status, rename.body.errors[0].source]).toEqual([422, { pointer }])
    const move = await api.ask('PATCH', `/${type}/${body.data.id}/relationships/organization`, other)
    expect(move.status).toBe(200)
  })
})

class Hidden extends ResourceRequest<'Tag'> {
  override rules() {
    return { name: string().required().test(unique('organizationId')) } as never
  }
}

describe('a name that is unique within what no client sees', () => {
  let tenant = 'a'
  const api = useFixture('project', {
    models: ['Team'],
    requests: { Team: only(Hidden) },
    serving: (phase) => phase.creating('Team' as 'Tag', () => ({ organizationId: tenant }) as never),
  })

  test('is told at its field, and by no other organization', async () => {
    for (const id of ['a', 'b'])
      await api.execute(`INSERT INTO "Organization" (id, slug, name) VALUES ('${id}', '${id}', '${id}')`)
    const create = (name: string) => api.ask('POST', '/teams', { data: { type: 'teams', attributes: { name } } })
    expect((await create('Core')).status).toBe(201)
    const again = await create('Core')
    expect([again.status, again.body.errors[0].source]).toEqual([422, { pointer: '/data/attributes/name' }])
    const id = (await create('Other')).body.data.id
    const rename = await api.ask('PATCH', `/teams/${id}`, { data: { type: 'teams', id, attributes: { name: 'Core' } } })
    expect([rename.status, rename.body.errors[0].source]).toEqual([422, { pointer: '/data/attributes/name' }])
    tenant = 'b'
    expect((await create('Core')).status).toBe(201)
  })
})

describe('at boot', () => {
  const below = mkdtempSync(path.join(tmpdir(), 'prismapi-unique-'))
  let project: Generated
  beforeAll(async () => {
    project = await generate('project', 'sqlite', below)
  })
  afterAll(() => rmSync(below, { recursive: true }))

  const boot = async (rules: object, { model = 'Team', models = ['Team'] as readonly string[] | undefined } = {}) => {
    class Own extends ResourceRequest<'Tag'> {
      override rules() {
        return rules as never
      }
    }
    const served = await serve(project, { reader: {}, writer: {} } as never, {}, undefined, {
      requests: { [model]: only(Own) },
      ...(models && { models }),
    })
    await served.close()
  }
  const team = { model: 'Team', models: ['Team', 'Organization'] }
  const issue = { model: 'Issue', models: ['Issue', 'Project', 'User'] }
  const name = (...others: readonly string[] | readonly [{ with: readonly string[] }]) => ({
    name: string().test(unique(...others)),
  })

  test.each<[string, object, object, string]>([
    [
      'what is unique only within a relation',
      name(),
      team,
      "Own: unique() of name: the database has name unique only together with organization. Write unique({ with: ['organization'] }), or nothing: the constraint answers.",
    ],
    [
      'what is unique only within a foreign key that no client sees',
      name(),
      {},
      "Own: unique() of name: the database has name unique only together with organizationId. Write unique({ with: ['organizationId'] }), or nothing: the constraint answers.",
    ],
    [
      'a name that there is not',
      name({ with: ['organisation'] }),
      team,
      "Own: unique({ with: ['organisation'] }) of name: teams have no field organisation. Did you mean organization?",
    ],
    [
      'a relation to many',
      name({ with: ['projects'] }),
      { model: 'Team', models: ['Team', 'Project'] },
      "Own: unique({ with: ['projects'] }) of name: no column of Team holds projects. Remove it.",
    ],
    [
      'a column that only the database could compare',
      { title: string().test(unique('organizationId')) },
      { model: 'Project', models: ['Project'] },
      "Own: unique({ with: ['organizationId'] }) of title: clients of projects do not send organizationId, so that only the database can tell. Add @@unique([title, organizationId]) to Project.",
    ],
    [
      'the id',
      { id: string().test(unique()) },
      team,
      'Own: unique() of id: an id that is taken is 409 without a rule. Remove it.',
    ],
    [
      'a part of a value',
      { title: array(string().test(unique())) },
      issue,
      'Own: unique() asks about a whole field, and title has it for a part of one. Ask in a hook.',
    ],
  ])('an error: %s', async (_what, rules, options, message) => {
    await expect(boot(rules, options)).rejects.toThrow(message)
  })

  test.each<[string, object, object]>([
    ['what no constraint says', { title: string().test(unique()) }, issue],
    ['more than a constraint says', name({ with: ['organization', 'id'] }), team],
    ['a foreign key in place of its relation', name('organizationId'), team],
    ['a column that no client sees, and a constraint of both', name('organizationId'), {}],
  ])('no error: %s', async (_what, rules, options) => {
    await boot(rules, options)
  })
})
