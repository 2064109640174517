import { beforeAll, describe, expect, test } from 'vitest'
import type { ExtractedEntry } from '../../tools/api-report/model.ts'
import { compile } from '../support/documentation/compile.ts'
import { type Exported, examplesOf } from '../support/public-api/examples.ts'
import { extractedEntries } from '../support/public-api/extracted.ts'
import { type PublicItem, publicItems } from '../support/public-api/items.ts'

let entries: readonly ExtractedEntry[]
let items: readonly PublicItem[]
let exported: Exported

beforeAll(async () => {
  entries = await extractedEntries()
  items = entries.flatMap(publicItems)
  exported = new Map(await Promise.all(entries.map(({ specifier }) => exportsOf(specifier))))
})

async function exportsOf(specifier: string) {
  const values: object = await import(specifier)
  const own = items.filter((item) => isExport(item) && item.specifier === specifier)
  return [specifier, new Map(own.map(({ name }) => [name, name in values ? 'value' : 'type'] as const))] as const
}

const places = (found: readonly PublicItem[]): readonly string[] => [...new Set(found.map(({ place }) => place))]

const isExport = ({ name, owner }: PublicItem): boolean => name === owner
const isUsable = ({ kind }: PublicItem): boolean => kind === 'Class' || kind === 'Function' || kind === 'Variable'

/** The comments of all declarations of an item's name: a value and a type may share one. */
const commentsOf = ({ place }: PublicItem): string =>
  items
    .filter((item) => item.place === place)
    .map(({ comment }) => comment)
    .join('\n')

describe('what applications can name', () => {
  test('are the exports of every entry of the packages', () => {
    expect(entries.map(({ specifier }) => specifier)).toEqual([
      'prismapi',
      ...[
        'types',
        'rules',
        'node',
        'pagination',
        'cursor-pagination',
        'sqlite',
        'postgres',
        'telemetry',
        'features',
      ].map((entry) => `prismapi/${entry}`),
      'prismapi/languages',
      '@prismapi/testing',
      '@prismapi/testing/kit',
    ])
    expect(places(items)).toContain('prismapi: Schema.pagination')
  })

  test('has a docstring', () => {
    expect(places(items.filter(({ comment }) => comment === ''))).toEqual([])
  })

  test('has an example where it is a function, a class or a value', () => {
    const usable = items.filter((item) => isExport(item) && isUsable(item))
    expect(places(usable.filter((item) => !commentsOf(item).includes('@example')))).toEqual([])
  })

  test('has no any', () => {
    const code = ({ declaration }: PublicItem) => declaration.replaceAll(/"[^"]*"|'[^']*'|\/\*[\s\S]*?\*\//g, '')
    expect(places(items.filter((item) => /\bany\b/.test(code(item))))).toEqual([])
  })

  test('names nothing that is not exported, but what is marked as internal', () => {
    const names = new Set([...exported.values()].flatMap((own) => [...own.keys()]))
    // Of two that are called alike, API Extractor gives one a number.
    const isHidden = (name: string) => !names.has(name.replace(/_\d+$/, ''))
    const leaks = items.flatMap(({ place, unexported }) =>
      unexported.filter(isHidden).map((name) => `${place} → ${name}`),
    )
    expect([...new Set(leaks)]).toEqual([])
  })

  test('says that it throws, where it does by itself', async () => {
    const throwing = await Promise.all(entries.map(({ specifier }) => throwingPlaces(specifier)))
    const silent = throwing.flat().filter((place) => {
      const item = items.find((each) => each.place === place)
      return item && !commentsOf(item).includes('@throws')
    })
    expect(throwing.flat()).toContain('prismapi: deny')
    expect(silent).toEqual([])
  })

  test('says which rule of JSON:API it is about, where it makes documents or pages', () => {
    const about = items.filter(
      (item) => isExport(item) && isUsable(item) && /^packages\/\w+\/src\/(document|pagination)\//.test(item.file),
    )
    expect(places(about.filter((item) => !commentsOf(item).includes('https://jsonapi.org/')))).toEqual([])
  })

  test('names rules of JSON:API by the place where they stand', () => {
    const links = items.flatMap(({ comment }) => [...comment.matchAll(/https:\/\/jsonapi\.org\S*/g)].map(String))
    const known = /^https:\/\/jsonapi\.org\/(format\/(#[a-z0-9-]+)?|ext\/atomic\/#[a-z-]+|profiles\/[a-z/-]+\/)$/
    expect(links.length).toBeGreaterThan(20)
    expect(links.filter((link) => !known.test(link))).toEqual([])
  })
})

describe('the examples of docstrings', () => {
  test('compile', () => {
    const withExample = items.filter((item) => item.hasOwnComment && item.comment.includes('@example'))
    const examples = withExample.map((item) => [item, examplesOf(item, exported)] as const)
    expect(places(examples.filter(([, { length }]) => length === 0).map(([item]) => item))).toEqual([])
    const all = new Map(examples.flatMap(([, found]) => found).map((each) => [`${each.page}:${each.line}`, each]))
    expect(compile([...all.values()])).toEqual([])
  })
})

/** Exports, and methods of exported classes, in whose own body something is thrown. */
async function throwingPlaces(specifier: string): Promise<readonly string[]> {
  const module: Readonly<Record<string, unknown>> = await import(specifier)
  return Object.entries(module).flatMap(([name, value]) => {
    if (typeof value !== 'function') return []
    const place = `${specifier}: ${name}`
    if (!/^class\b/.test(String(value))) return throwsIn(value) ? [place] : []
    return [value, value.prototype as object].flatMap((owner) =>
      Object.entries(Object.getOwnPropertyDescriptors(owner)).flatMap(([member, { value: method, get }]) =>
        member !== 'constructor' && throwsIn(method ?? get) ? [`${place}.${member}`] : [],
      ),
    )
  })
}

const throwsIn = (value: unknown): boolean => typeof value === 'function' && /\bthrow\s+\w/.test(String(value))
