import { createApi } from 'prismapi'
import { french, german } from 'prismapi/languages'
import { describe, expect, test } from 'vitest'
import { resources } from '../../../prisma/generated/resources.ts'
import { expectErrors, expectErrorsOf11, notFound } from '../../support/answers.ts'
import { mediaType, users } from '../../support/api.ts'
import { atomic, Counting, counting, fresh, postKeyed, replayed } from '../../support/idempotency.ts'
import { inOperation } from '../../support/operations.ts'
import { type TextAnswer, theExample, useServers } from '../../support/servers.ts'

const plain = useServers(theExample)
const servers = useServers(async () => ({ ...(await theExample()), languages: { de: german, fr: french } }))

const inLanguage = (language: string) => ({ headers: { 'Accept-Language': language } })
const spoken = ({ headers }: TextAnswer) => [headers.get('Content-Language'), headers.get('Vary')]

const missing = {
  en: 'The route /api/v1/nowhere could not be found.',
  de: 'Die Route /api/v1/nowhere wurde nicht gefunden.',
  fr: 'La route /api/v1/nowhere est introuvable.',
}
const titles = { en: 'Not Found', de: 'Nicht gefunden', fr: 'Introuvable' }

describe('an error is told in the language that its reader prefers', () => {
  test.each<[string, keyof typeof missing]>([
    ['de', 'de'],
    ['de-AT', 'de'],
    ['DE', 'de'],
    ['fr-CH, fr;q=0.9, en;q=0.8, *;q=0.5', 'fr'],
    ['de;q=0.5, fr', 'fr'],
    ['en, de', 'en'],
    ['ja, de;q=0.1', 'de'],
    ['ja', 'en'],
    ['*', 'en'],
    ['', 'en'],
    ['de;q=0', 'en'],
    [';;;, -', 'en'],
    ['de-AT, en', 'de'],
    ['en-GB, de', 'en'],
    ['de-Latn-AT, en', 'de'],
    ['de-AT, de;q=0, fr;q=0.1', 'fr'],
    ['de;q=0.5, *', 'en'],
    ['ja, *;q=0.5, de;q=0.1', 'en'],
    ['en;q=0, *', 'de'],
    ['en;q=0', 'en'],
  ])('%s', async (sent, language) => {
    const answer = await servers.as(null)('GET', '/api/v1/nowhere', inLanguage(sent))
    expectErrors(answer, { ...notFound, title: titles[language], detail: missing[language] })
    expect(spoken(answer)).toEqual([language, 'Accept-Language, Accept'])
  })

  test('a header that is longer than those of browsers counts as none', async () => {
    for (const [times, language] of [
      [100, 'fr'],
      [200, 'en'],
    ] as const) {
      const answer = await servers.as(null)('GET', '/api/v1/nowhere', inLanguage(`${'fr, '.repeat(times)}de`))
      expectErrors(answer, { ...notFound, title: titles[language], detail: missing[language] })
      expect(spoken(answer)[0]).toBe(language)
    }
  })

  test('of a query: with the parameter as it was sent', async () => {
    const path = '/api/v1/posts?include=author.nothing&sort=-nothing&filter[id][gt]=x'
    expectErrors(
      await servers.as(null)('GET', path, inLanguage('de')),
      {
        ...{ status: '400', title: 'Ungültiger Abfrageparameter' },
        detail: 'Der Pfad author.nothing ist in include nicht zulässig.',
        source: { parameter: 'include' },
      },
      {
        ...{ status: '400', title: 'Ungültiger Abfrageparameter' },
        detail: 'Der Wert von filter[id][gt] muss eine id sein, was "x" nicht sein kann.',
        source: { parameter: 'filter[id][gt]' },
      },
      {
        ...{ status: '400', title: 'Ungültiger Abfrageparameter' },
        detail: 'Der Sortierparameter nothing ist nicht zulässig.',
        source: { parameter: 'sort' },
      },
    )
  })

  test('of an atomic operation: at its place in the document', async () => {
    const answer = await servers.as(users.admin)('POST', '/api/v2/operations', {
      headers: { Accept: atomic, 'Content-Type': atomic, 'Accept-Language': 'fr' },
      body: { 'atomic:operations': [{ op: 'add', data: { type: 'tags' } }, { op: 'move' }] },
    })
    expect(answer.body.errors).toEqual([
      inOperation(
        1,
        {
          ...{ status: '400', title: 'Document JSON:API non conforme' },
          detail: 'Le membre op doit être add, update ou remove.',
        },
        '/op',
      ),
      inOperation(1, {
        ...{ status: '400', title: 'Document JSON:API non conforme' },
        detail: 'Le membre data est obligatoire.',
      }),
    ])
    expect(spoken(answer)[0]).toBe('fr')
  })

  test('of a wrong document: what it says stays as it was sent', async () => {
    const body = { data: { type: 'tags', attributes: { name: 'The member data is required.', colour: 'red' } } }
    expectErrors(await servers.as(users.admin)('POST', '/api/v1/tags', { ...inLanguage('de'), body }), {
      ...{ status: '400', title: 'Kein gültiges JSON:API-Dokument' },
      detail: 'Das Feld colour ist kein unterstütztes Attribut.',
      source: { pointer: '/data/attributes/colour' },
    })
    const type = 'The member data is required.'
    expectErrors(
      await servers.as(users.admin)('POST', '/api/v1/tags', { ...inLanguage('de'), body: { data: { type } } }),
      {
        ...{ status: '409', title: 'Nicht unterstützt' },
        detail: `Der Ressourcentyp ${type} passt nicht zu dieser URL.`,
        source: { pointer: '/data/type' },
      },
    )
  })

  test('behind all servers', async () => {
    const answer = await servers.as(null)('GET', '/nowhere', inLanguage('de'))
    expectErrors(answer, { ...notFound, title: titles.de, detail: 'Die Route /nowhere wurde nicht gefunden.' })
    expect(spoken(answer)).toEqual(['de', 'Accept-Language, Accept'])
  })

  test('of a server of JSON:API 1.1, with the headers that belong to the error', async () => {
    const answer = await servers.as(null)('PUT', '/api/v2/tags/1', inLanguage('fr'))
    const detail =
      "La méthode PUT n'est pas prise en charge pour la route /api/v2/tags/1. Méthodes prises en charge\u00a0: GET, HEAD, PATCH, DELETE, QUERY."
    expectErrorsOf11(answer, { status: '405', title: 'Méthode non autorisée', detail })
    expect(answer.headers.get('Allow')).toBe('GET, HEAD, PATCH, DELETE, QUERY')
  })
})

describe('a catalogue of a region', () => {
  const regional = useServers(async () => ({
    ...(await theExample()),
    languages: { 'de-CH': german, 'zh-Hant': french },
  }))

  test.each([
    ['de-CH', 'de-CH'],
    ['de', 'de-CH'],
    ['de-AT', 'en'],
    ['zh-hant-TW, en', 'zh-Hant'],
    ['en;q=0, de;q=0, *', 'zh-Hant'],
  ])('%s', async (sent, language) => {
    const answer = await regional.as(null)('GET', '/api/v1/nowhere', inLanguage(sent))
    expect(spoken(answer)[0]).toBe(language)
  })
})

describe('what is no error is in no language', () => {
  test('a document of resources says none, and depends on none', async () => {
    const path = '/api/v1/tags/1'
    const [german, english] = [await servers.as(null)('GET', path, inLanguage('de')), await plain.as(null)('GET', path)]
    expect(german.text).toBe(english.text)
    expect(spoken(german)).toEqual([null, 'Accept'])
  })
})

describe('an application without languages', () => {
  test('tells everybody in English, and has no headers for it', async () => {
    const answer = await plain.as(null)('GET', '/api/v1/nowhere', inLanguage('de'))
    expectErrors(answer, { ...notFound, detail: missing.en })
    expect(spoken(answer)).toEqual([null, 'Accept'])
  })
})

describe('media types', () => {
  test('are what they are in English', async () => {
    const answer = await servers.as(null)('GET', '/api/v1/nowhere', inLanguage('de'))
    expect(answer.headers.get('Content-Type')).toBe(mediaType)
  })
})

describe('a repeated answer', () => {
  const keyed = useServers(async () => ({ ...(await counting(Counting)), languages: { de: german, fr: french } }))
  const ask = (key: string, language: string) =>
    postKeyed(keyed.as(users.admin), {
      ...{ key, url: '/api/v1/tags/-actions/import', body: { meta: { names: ['broken'] } } },
      headers: { 'Accept-Language': language },
    })

  test('is the first one to the letter, and says in which language it is', async () => {
    const key = fresh()
    const [first, second] = [await ask(key, 'de'), await ask(key, 'fr')]
    expectErrors(first, { status: '500', title: 'Interner Serverfehler', id: expect.any(String) })
    expect([replayed(second), second.text]).toEqual(['true', first.text])
    expect([first, second].map(({ headers }) => headers.get('Content-Language'))).toEqual(['de', 'de'])
  })

  test('that is refused is told to who asks now', async () => {
    const key = fresh()
    await ask(key, 'de')
    const body = { meta: { names: ['another'] } }
    expectErrors(
      await postKeyed(keyed.as(users.admin), {
        ...{ key, url: '/api/v1/tags/-actions/import', body },
        headers: { 'Accept-Language': 'fr' },
      }),
      {
        ...{ status: '422', title: 'Contenu non traitable' },
        detail: 'Cet Idempotency-Key a été envoyé avec une autre requête. Prenez-en un nouveau.',
      },
    )
  })
})

test('boot refuses what is no tag of a language', async () => {
  const { policies, servers } = await theExample()
  const parts = { resources, policies, servers, clients: { reader: {}, writer: {} } as never }
  const logger = { debug() {}, info() {}, warn() {}, error() {} }
  const start = () => createApi({ ...parts, baseUrl: 'http://a.example', logger, languages: { de_DE: german } })
  expect(start).toThrow('createApi({ languages }): "de_DE" is no tag of a language. Write one such as de or pt-BR.')
})
