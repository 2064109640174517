import { conflict, deny, integer, JsonApiError, Policy, ResourceRequest, Schema, Server, say, string } from 'prismapi'
import { german } from 'prismapi/languages'
import type { Validator } from 'prismapi/rules'
import { describe, expect, test } from 'vitest'
import { expectErrors, invalid } from '../../support/answers.ts'
import { openServer } from '../../support/open-server.ts'
import { plain, useServers } from '../../support/servers.ts'

// What an application says in its own words, in another language.

class Worded extends ResourceRequest<'Tag'> {
  override rules() {
    return {
      name: string()
        .required()
        .min(3, 'Longer, please.')
        .max(8)
        .matches(/^[a-z]+$/)
        .lowercase(),
    }
  }
  override messages() {
    return {
      'name.max': 'A :attribute of :max letters, :unknown is the most.',
      'name.matches': () => say`Write ${'a'} to ${'z'}.`,
    }
  }
  override attributes() {
    return { name: 'label' }
  }
  override withValidator(validator: Validator) {
    validator.after(() => {
      const { name } = this.validationData()
      if (name === 'reserved') validator.fail('name', say`${name} is for ${say`editors`}.`, 'reserved')
    })
  }
  override deleteRules() {
    return { 'meta.posts': integer().max(0) }
  }
  override async metaForDelete() {
    return { posts: 1 }
  }
  override deleteMessages() {
    return { 'meta.posts.max': 'A tag of posts stays.' }
  }
}

class Asked extends Server {
  override readonly name = 'asked'
  override readonly models = ['Post', 'Tag', 'User', 'Video', 'Comment'] as const
}

/** As another service answered, without texts. */
const forwarded = new JsonApiError(409, [
  { status: '409', code: 'taken', detail: null },
  { status: '409', title: 'Forbidden' },
] as never)

class TagPolicy extends Policy<'Tag'> {
  override update = () => deny('Only editors may edit.')
  override view = () => deny(say`Only ${3} may look.`, { status: 404 })
  override delete = () => {
    throw conflict('Only editors may edit.').map((each) => ({ ...each, meta: { trace: 'a1' } }))
  }
  override create = () => {
    throw forwarded
  }
}

const own = {
  label: 'Etikett',
  'Longer, please.': 'Länger, bitte.',
  'A :attribute of :max letters, :unknown is the most.': 'Höchstens :max Buchstaben hat ein :attribute, :unknown.',
  'Write {0} to {1}.': 'Schreiben Sie {0} bis {1}.',
  '{0} is for {1}.': 'Für {1} ist {0}.',
  editors: 'Redakteure',
  'A tag of posts stays.': 'Ein Schlagwort von Beiträgen bleibt.',
  'Only editors may edit.': 'Nur Redakteure dürfen ändern.',
  'Only {0} may look.': 'Nur {0} dürfen schauen.',
}

const servers = useServers(() => ({
  policies: new Map([['Tag', TagPolicy as never]]),
  languages: { de: { ...german, ...own }, en: { 'Only editors may edit.': 'Editors alone may edit.' } },
  servers: [
    openServer(
      'worded',
      { Post: Schema, Tag: Schema, User: Schema, Video: Schema, Comment: Schema },
      { requests: { Tag: { request: Worded } } },
    ),
    plain(Asked),
  ],
}))

const headers = { 'Accept-Language': 'de' }
const create = (name: unknown, more: object = headers) =>
  servers.as(null)('POST', '/api/worded/tags', {
    headers: { ...more },
    body: { data: { type: 'tags', attributes: { name } } },
  })
const refused = (code: string, detail: string) => ({
  ...invalid(code, detail, '/data/attributes/name'),
  title: 'Inhalt nicht verarbeitbar',
})

describe('of a rule', () => {
  test('the text of messages() is looked up as it is written, and its gaps are filled', async () => {
    expectErrors(await create('muchtoolong'), refused('max', 'Höchstens 8 Buchstaben hat ein Etikett, :unknown.'))
  })

  test('the text that the rule was written with', async () => {
    expectErrors(await create('ab'), refused('min', 'Länger, bitte.'))
  })

  test('a text of its own with gaps', async () => {
    expectErrors(await create('a-b-c'), refused('matches', 'Schreiben Sie a bis z.'))
    expectErrors(await create('reserved'), refused('reserved', 'Für Redakteure ist reserved.'))
  })

  test('a text of the framework names the field as the application does', async () => {
    expectErrors(await create(''), {
      ...refused('required', 'Das Feld Etikett ist erforderlich.'),
    })
    expectErrors(await create(7), refused('string', 'Das Feld Etikett muss eine Zeichenkette sein.'))
  })

  test('in English all are what they were', async () => {
    const title = 'Unprocessable Entity'
    expectErrors(await create('muchtoolong', {}), {
      ...refused('max', 'A label of 8 letters, :unknown is the most.'),
      title,
    })
    expectErrors(await create('reserved', {}), { ...refused('reserved', 'reserved is for editors.'), title })
  })

  test('of a deletion', async () => {
    const detail = 'Ein Schlagwort von Beiträgen bleibt.'
    expectErrors(await servers.as(null)('DELETE', '/api/worded/tags/1', { headers }), {
      ...{ status: '422', code: 'max', title: 'Nicht löschbar', detail },
    })
  })
})

describe('of a denial', () => {
  const body = { data: { type: 'tags', id: '1', attributes: { name: 'other' } } }

  test('the message is looked up', async () => {
    const detail = 'Nur Redakteure dürfen ändern.'
    expectErrors(await servers.as(null)('PATCH', '/api/asked/tags/1', { headers, body }), {
      ...{ status: '403', title: 'Verboten', detail },
    })
    expectErrors(await servers.as(null)('GET', '/api/asked/tags/1', { headers }), {
      ...{ status: '404', title: 'Nicht gefunden', detail: 'Nur 3 dürfen schauen.' },
    })
  })

  test('an error keeps its language where other members are added', async () => {
    expectErrors(await servers.as(null)('DELETE', '/api/asked/tags/1', { headers }), {
      ...{ status: '409', title: 'Konflikt', detail: 'Nur Redakteure dürfen ändern.', meta: { trace: 'a1' } },
    })
  })

  test.each([{}, headers])('an error without texts is what it was: %o', async (sent) => {
    const answer = await servers.as(null)('POST', '/api/asked/tags', {
      headers: { ...sent },
      body: { data: { type: 'tags', attributes: { name: 'new' } } },
    })
    expect(answer.status).toBe(409)
    expect(answer.body.errors).toEqual([
      { status: '409', code: 'taken', detail: null },
      { status: '409', title: sent === headers ? 'Verboten' : 'Forbidden' },
    ])
  })

  test('English may have a catalogue, too', async () => {
    const answer = await servers.as(null)('PATCH', '/api/asked/tags/1', { body })
    expectErrors(answer, { status: '403', title: 'Forbidden', detail: 'Editors alone may edit.' })
    expect(answer.headers.get('Content-Language')).toBe('en')
  })
})
