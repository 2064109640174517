import { pluralize, underscore } from 'inflection'

/** `BlogPost` → `blog-posts`. */
export const inferType = (model: string): string => {
  const words = dashed(model).split('-')
  const last = words.pop() ?? ''
  return [...words, pluralize(last)].join('-')
}

/** `BlogPost` → `blog-post`, `HTTPLog` and `HTTP_LOG` → `http-log`. */
export const dashed = (name: string): string =>
  name
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1-$2')
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .replace(/[-_]+/g, '-')
    .replace(/^-|-$/g, '')
    .toLowerCase()

/** A free type for each model, in the order of the schema: of two models with one plural, the second keeps its singular. */
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

// JSON:API: a resource's fields share one namespace with `type` and `id`; 1.0 keeps `links` and `relationships` for itself.
const reserved = new Set(['type', 'id', 'links', 'relationships'])

/** May a field be called so (JSON:API, *Document Structure*); URLs and comma lists name it without escapes. */
export const isFieldName = (name: string): boolean => isPlainName(name) && !reserved.has(name)
/** Can it be a part of URLs as it is. */
export const isPlainName = (name: string): boolean => /^[A-Za-z0-9](?:[-\w]*[A-Za-z0-9])?$/.test(name)

/** The name of a field in documents: Prisma's own, unless JSON:API forbids it (`type` of a Note → `noteType`, `class_` → `class`). */
export function fieldName(model: string, field: string, isTaken: (name: string) => boolean): string {
  const legal = field.replace(/_+$/, '')
  if (legal === field && !reserved.has(field)) return field
  let name = reserved.has(legal) ? `${lowerFirst(model)}${upperFirst(legal)}` : legal
  while (isTaken(name)) name += '2'
  return name
}

const secrets = new Set([
  'password',
  'passwd',
  'pwd',
  'passphrase',
  'secret',
  'secrets',
  'token',
  'tokens',
  'salt',
  'hash',
  'hashed',
  'apikey',
  'otp',
  'credential',
  'credentials',
  'cvv',
  'cvc',
])
const secretPairs = new Set(['api key', 'api keys', 'private key', 'access key', 'signing key', 'encryption key'])

/** Does the name of a field say that it holds a secret (`passwordHash`, `api_key`, `resetToken`). */
export function looksSecret(field: string): boolean {
  const words = underscore(field).split('_')
  return words.some((word, i) => secrets.has(word) || secretPairs.has(`${word} ${words[i + 1] ?? ''}`))
}

/** The same of a field that names rows: a commit is called by its hash, and nobody by a token. */
export const isSecretName = (field: string): boolean => looksSecret(underscore(field).replace(/(^|_)hash(?=_|$)/g, '_'))

/** `BlogPost` → `blogPost`: the name of the model's delegate in Prisma Client, too. */
export const lowerFirst = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1)
export const upperFirst = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)
