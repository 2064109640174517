import { pluralize } from 'inflection'
import { pluralNoun, singularNoun } from './nouns.ts'

/** `BlogPost` → `blog-posts`. What comes last and only tells apart has no plural: `CommentV2` → `comments-v2`. */
export const inferType = (model: string): string => withEnd(dashed(model).split('-'), pluralNoun).join('-')

/** The words of a name: `blogPosts` and `blog-posts` → `blog posts`. */
export const wordsOf = (name: string): string => dashed(name).replaceAll('-', ' ')

/** The words for one of what a type has: `blog-posts` → `blog post`, `comments-v2` → `comment v2`. */
export const singularOf = (type: string): string => withEnd(dashed(type).split('-'), singularNoun).join(' ')

/**
 * The same where the model is known: a type that was made of its name has it for one. Of `cookies` alone, nobody knows.
 */
export const singularFor = (type: string, model: string): string =>
  inferType(model) === type && dashed(model) !== type ? wordsOf(model) : singularOf(type)

function withEnd(words: readonly string[], change: (word: string) => string): readonly string[] {
  const end = words.findLastIndex((word, i) => i === 0 || !distinctions.test(word))
  return words.map((word, i) => (i === end ? change(word) : word))
}

const distinctions = /^(v?\d+|new|old)$/

/**
 * `BlogPost` → `blog-post`, `HTTPLog` and `HTTP_LOG` → `http-log`,
 * `OAuthClient` → `oauth-client`, `Model3D` → `model-3d`.
 */
export const dashed = (name: string): string =>
  joined(
    name
      .replace(mixed, (word) => upperFirst(word.toLowerCase()))
      .replace(/([A-Z]+)([A-Z][a-z])/g, '$1-$2')
      .replace(/([a-z])(\d+[A-Z]+)(?![a-z])/g, '$1-$2')
      .replace(/([a-z])([A-Z])|(\d)([A-Z][a-z])/g, '$1$3-$2$4'),
  )

/** Words with capitals inside of them. */
const brands = [
  ...[
    'DevOps',
    'GitHub',
    'GitLab',
    'GraphQL',
    'IaaS',
    'IoT',
    'JavaScript',
    'LinkedIn',
    'MySQL',
    'NoSQL',
    'OAuth',
    'PaaS',
  ],
  ...[
    'PayPal',
    'PostgreSQL',
    'SQLite',
    'SaaS',
    'TypeScript',
    'WhatsApp',
    'WiFi',
    'YouTube',
    'iOS',
    'iPad',
    'iPhone',
    'macOS',
  ],
].join('|')

/** They are one word each, as an acronym with an s is: `APIs`. `MultiPad` has none. */
const mixed = new RegExp(`(?<![a-z](?=[a-z]))(?:${brands}|[A-Z]{2,}(?=s))s?(?![a-z])`, 'g')

const capitals = new RegExp(`(?<![a-z](?=[a-z]))(?:${brands})s?(?![a-z])|[A-Z][A-Z\\d]+(?:s(?![a-z])|(?![a-z]))`, 'g')

/**
 * The words that names of models write in capitals, by how they are otherwise: `HTTPLog` has
 * `HTTP`, `OAuthClient` has `OAuth`. A name that is in capitals as a whole says nothing.
 */
export const capitalsOf = (models: Iterable<string>): ReadonlyMap<string, string> =>
  new Map(
    [...models]
      .filter((name) => /[a-z]/.test(name))
      .flatMap((name) => name.match(capitals) ?? [])
      .map((word) => [word.toLowerCase(), word]),
  )

/** Words with those capitals. */
export const capitalised = (words: string, capitals: ReadonlyMap<string, string>): string =>
  words
    .split(' ')
    .map((word) => capitals.get(word) ?? word)
    .join(' ')

/**
 * The models by what their files are called: `blog-post` of
 * `blog-post.policy.ts`. The names of version 0.1 are still found.
 */
export const modelsByFile = (models: readonly string[]): ReadonlyMap<string, string> =>
  new Map([
    ...models.map((model) => [formerlyDashed(model), model] as const),
    ...models.map((model) => [dashed(model), model] as const),
  ])

/** What `dashed` made of a name up to version 0.1. */
const formerlyDashed = (name: string): string =>
  joined(name.replace(/([A-Z]+)([A-Z][a-z])/g, '$1-$2').replace(/([a-z\d])([A-Z])/g, '$1-$2'))

/** The type of a model up to version 0.1. */
export function formerType(model: string): string {
  const words = formerlyDashed(model).split('-')
  const last = words.pop() ?? ''
  return [...words, pluralize(last)].join('-')
}

const joined = (words: string): string => words.replace(/[-_]+/g, '-').replace(/^-|-$/g, '').toLowerCase()

/**
 * A free type for each model, in the order of the schema: of two models with one plural, the second keeps its singular.
 */
export function inferTypes(models: readonly string[], reserved: readonly string[] = []): ReadonlyMap<string, string> {
  const types = new Map<string, string>()
  const taken = new Set<string>(reserved)
  for (const model of models) {
    const candidates = [inferType(model), dashed(model)]
    let type = candidates.find((candidate) => !taken.has(candidate))
    for (let n = 2; type === undefined; n++)
      type = taken.has(`${candidates[0]}-${n}`) ? undefined : `${candidates[0]}-${n}`
    taken.add(type)
    types.set(model, type)
  }
  return types
}

// JSON:API: a resource's fields share one namespace with `type` and
// `id`; 1.0 keeps `links` and `relationships` for itself.
const reserved = new Set(['type', 'id', 'links', 'relationships'])

/** May a field be called so (JSON:API, *Document Structure*); URLs and comma lists name it without escapes. */
export const isFieldName = (name: string): boolean => isPlainName(name) && !reserved.has(name)
/** Can it be a part of URLs as it is. */
export const isPlainName = (name: string): boolean => /^[A-Za-z0-9](?:[-\w]*[A-Za-z0-9])?$/.test(name)

/**
 * The name of a field in documents: Prisma's own, unless JSON:API
 * forbids it (`type` of a Note → `noteType`, `class_` → `class`).
 */
export function fieldName(model: string, field: string, isTaken: (name: string) => boolean): string {
  const legal = field.replace(/_+$/, '')
  if (legal === field && !reserved.has(field)) return field
  let name = reserved.has(legal) ? `${lowerFirst(model)}${upperFirst(legal)}` : legal
  while (isTaken(name)) name += '2'
  return name
}

/** `BlogPost` → `blogPost`: the name of the model's delegate in Prisma Client, too. */
export const lowerFirst = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1)
export const upperFirst = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)
