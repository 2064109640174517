import type { CompiledServer } from '@prismapi/core/server/compile'
import { memo } from '@prismapi/jsonapi/model/memo'
import type { Operation } from '@prismapi/jsonapi/request/operation'
import { targetModels } from '@prismapi/jsonapi/schema/relation-kinds'
import { type ResourceSchema, schemaOf } from '@prismapi/jsonapi/schema/resource-schema'
import { everybody } from '@prismapi/openapi/caller'
import type { Part } from '@prismapi/openapi/described'
import { documentParts } from '@prismapi/openapi/document'
import { namedParameter, type ParameterParts } from '@prismapi/openapi/parameter'
import { type PageRequest, showMark } from '../data/page-request.ts'
import { type Content, type Html, html } from '../html/html.ts'
import { withParameters } from '../html/links.ts'
import { rulesHtml } from '../resource/permissions.ts'
import { frame, raw as words } from '../texts/reading.ts'
import type { Words } from '../texts/words.ts'
import type { ShownWrite } from './write.ts'

const mediaType = 'application/vnd.api+json'
/** A document that is longer is shown to who asks for it: it would be most of the page. */
const shownLength = 6000

interface Shown extends PageRequest {
  readonly url: string
  readonly isSignedIn: boolean
  /** What the form of the page sends; null for a page without one. */
  readonly write: ShownWrite | null
}

/**
 * What only developers want to know, in a drawer that a button of the bar opens: the request for a command line and for
 * programs, and the document as it came.
 */
export function raw(shown: Shown): Html {
  const { url, document, isSignedIn, path, search, own, write } = shown
  // The token itself stands in no page.
  const authorization = isSignedIn ? ` -H "Authorization: Bearer $TOKEN"` : ''
  const body = write && JSON.stringify(write.document)
  const sends = write
    ? ` -X ${write.method} -H 'Content-Type: ${mediaType}' -d '${body?.replaceAll("'", "'\\''")}'`
    : ''
  const command = `curl -g${sends} -H 'Accept: ${mediaType}'${authorization} '${url.replaceAll("'", "'\\''")}'`
  // By a link it is a part of the page: nothing but a script opens a drawer by a URL.
  const isLinked = own.has(showMark)
  return html`<aside class="drawer" id="developer"${!isLinked && html` popover`} aria-label="${frame.developers}"><div class="drawer-head"><h2>${words.title}</h2>${
    isLinked
      ? html`<a class="icon to-close" href="${path + search}" aria-label="${frame.close}"></a>`
      : html`<button type="button" class="icon to-close" popovertarget="developer" popovertargetaction="hide" aria-label="${frame.close}"></button>`
  }</div>
${code(words.command, command)}
<details><summary>${words.program}</summary>${code(words.program, program(url, isSignedIn, write))}</details>
${typed(typedRequest(shown, isSignedIn))}
${write && write.places.length > 0 && html`<h3>${words.rule}</h3>${rulesHtml(write.places)}`}
${!write && documentShown(document, shown)}</aside>`
}

/** What can be copied, by the pages' script. */
const code = (label: Words, text: string): Html =>
  html`<div class="code"><pre tabindex="0" aria-label="${label}"><code>${text}</code></pre><button type="button" class="copy" data-copy="${words.copied}" data-refused="${words.notCopied}" aria-live="polite" hidden>${words.copy}</button></div>`

const typed = (text: string | null): Content =>
  text !== null && html`<details><summary>${words.typed}</summary>${code(words.typed, text)}</details>`

const program = (url: string, isSignedIn: boolean, write: ShownWrite | null): string =>
  `const response = await fetch(${JSON.stringify(url)}, {
${write ? `  method: '${write.method}',\n` : ''}  headers: { Accept: '${mediaType}'${write ? `, 'Content-Type': '${mediaType}'` : ''}${isSignedIn ? ", Authorization: 'Bearer ' + token" : ''} },
${write ? `  body: JSON.stringify(${JSON.stringify(write.document)}),\n` : ''}})
const { data, included } = await response.json()`

function documentShown(document: object, { path, search, own }: Pick<Shown, 'path' | 'search' | 'own'>): Content {
  const text = JSON.stringify(document, null, 2)
  const isAsked = own.get(showMark) === 'document'
  if (text.length > shownLength && !isAsked)
    return html`<p><a href="${path + withParameters(search, { [showMark]: 'document' })}#developer">${words.show}</a></p>`
  return html`<details${isAsked && html` open`}><summary>${words.document}</summary>${code(words.document, text)}</details>`
}

type Parameters = ReadonlyMap<string, Part>

interface DescribedServer {
  /** The parameters that GET of the URL lists, as the OpenAPI document has them; null for a URL without GET. */
  listed(type: string, url: string): readonly Part[] | null
  /** What can be asked of the type, by whole names. */
  askedOf(type: string): ParameterParts
}

// The components of a large server take a second: only the parameters of the types that are named are made.
const described = memo((server: CompiledServer): DescribedServer => {
  const parts = memo((schema: ResourceSchema) =>
    documentParts(server, everybody(server), { types: new Set([schema.type]) }),
  )
  const pathsOf = memo((schema: ResourceSchema) => new Map(parts(schema).paths()))
  const asked = memo((schema: ResourceSchema) => parts(schema).parametersOf(schema.type))
  const schemaNamed = (type: string) => server.schemas.byType.get(type)
  return {
    listed(type, url) {
      const schema = schemaNamed(type)
      const get = schema && (pathsOf(schema).get(url)?.get as Part | undefined)
      return get ? ((get.parameters ?? []) as readonly Part[]) : null
    },
    askedOf(type) {
      const schema = schemaNamed(type)
      return schema ? asked(schema) : {}
    },
  }
})

/** What GET of an operation takes, by the whole names of a query: the file of `prismapi client` has the same. */
function parametersOf(
  server: CompiledServer,
  operation: Operation,
  url: string,
  sent: URLSearchParams,
): Parameters | null {
  const { listed, askedOf } = described(server)
  const all = listed(operation.schema.type, url)
  if (!all) return null
  const shown = 'relation' in operation ? targetModels(operation.relation) : [operation.schema.model.name]
  const types = shown.map((model) => schemaOf(server.schemas, model).type)
  const fields = [...sent.keys()].flatMap((name) => /^fields\[(.+)\]$/.exec(name)?.[1] ?? [])
  const isLinkage = operation.kind === 'viewRelationship'
  const found = all.flatMap((json): readonly Part[] => {
    const named = namedParameter(json)
    if (!named) return [json]
    if (named.family === 'include' && isLinkage) return [anyPaths, ...fieldsOf(askedOf, fields)]
    if (named.family === 'fields') return fieldsOf(askedOf, fields)
    return (named.type === null ? types : [named.type]).flatMap((type) =>
      Object.entries<Part>(askedOf(type)).flatMap(([key, part]) => (key.startsWith(`${named.family}.`) ? [part] : [])),
    )
  })
  return new Map(found.map((part) => [String(part.name), part.schema as Part]))
}

const anyPaths: Part = { name: 'include', schema: { type: 'array', items: { type: 'string' } } }

const fieldsOf = (askedOf: DescribedServer['askedOf'], types: readonly string[]): readonly Part[] =>
  types.flatMap((type): readonly Part[] => {
    const part = askedOf(type)[`fields.${type}`]
    return part ? [part] : []
  })

/**
 * The request of a page as a program with the typed client; null if the client has no such request. Parts that its
 * types do not know, such as groups of filters, are passed untyped.
 */
function typedRequest(
  { server, operation, path, search, status, write }: Omit<Shown, 'isSignedIn'>,
  isSignedIn: boolean,
): string | null {
  if (status >= 400) return null
  const id = operation && 'id' in operation && operation.id !== null ? operation.id : null
  const { base, client } = askedBy(server)
  const below = path.slice(server.basePath.length)
  const url = base + (id === null ? below : withoutId(below)) || '/'
  const sent = new URLSearchParams(search)
  const parameters = operation ? parametersOf(server, operation, url, sent) : new Map<string, Part>()
  if (!parameters || (!operation && below !== '')) return null
  const asked = write ? new URLSearchParams() : sent
  const params = [...(id === null ? [] : [`path: { id: ${quoted(id)} }`]), ...queryText(asked, parameters)]
  const parts = [
    ...(params.length > 0 ? [`\n  params: {\n    ${params.join(',\n    ')},\n  },`] : []),
    ...(write ? [`\n  body: ${JSON.stringify(write.document)},`] : []),
  ]
  const headers = isSignedIn ? `, headers: { Authorization: 'Bearer ' + token }` : ''
  return `// npx prismapi client --server=${server.name} --out=api.ts
import { createClient } from ${quoted('./api.ts')}

const api = createClient({ baseUrl: ${quoted(client || '/')}${headers} })
const { data, error } = await api.${write?.method ?? 'GET'}(${quoted(url)}${parts.length > 0 ? `, {${parts.join('')}\n}` : ''})`
}

/** What the URLs of the typed client begin with, and its base URL: the whole base path, if that has parameters. */
function askedBy({ base, basePath, baseUrl }: CompiledServer): { readonly base: string; readonly client: string } {
  if (base.names.length > 0) return { base: '', client: baseUrl }
  return { base: basePath, client: baseUrl.slice(0, baseUrl.length - basePath.length) }
}

/** `/posts/7/author` → `/posts/{id}/author` */
function withoutId(path: string): string {
  const [, type, , ...rest] = path.split('/')
  return ['', type, '{id}', ...rest].join('/')
}

function queryText(sent: URLSearchParams, parameters: Parameters): readonly string[] {
  const members: string[] = []
  const untyped: string[] = []
  for (const name of new Set(sent.keys())) {
    const values = sent.getAll(name)
    const text = literalOf(values, parameters.get(name))
    if (text === null) untyped.push(`${memberName(name)}: ${quoted(values.join(','))}`)
    else members.push(`${memberName(name)}: ${text}`)
  }
  if (untyped.length > 0) members.push(`...({ ${untyped.join(', ')} } as object)`)
  return members.length === 0 ? [] : [`query: { ${members.join(', ')} }`]
}

/** What is sent, as its type has it; null for what is of no such type. An empty list would be left out. */
function literalOf(values: readonly string[], schema: Part | undefined): string | null {
  const [value = '', ...others] = values
  if (!schema) return null
  if (schema.type === 'array') {
    const items = values.flatMap((each) => each.split(',')).map((each) => literalOf([each], schema.items as Part))
    return items.includes(null) ? null : `[${items.join(', ')}]`
  }
  if (others.length > 0 || value === '' || !isOneOf(schema, value)) return null
  if (schema.type === 'integer' || schema.type === 'number') return String(Number(value)) === value ? value : null
  if (schema.type === 'boolean') return ['true', 'false'].includes(value) ? value : null
  return quoted(value)
}

/** Some parameters list what they take, in one part or several. */
function isOneOf({ enum: values, anyOf }: Part, value: string): boolean {
  if (Array.isArray(anyOf)) return anyOf.some((part: Part) => isOneOf(part, value))
  return !Array.isArray(values) || values.map(String).includes(value)
}

const memberName = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name))

const quoted = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
