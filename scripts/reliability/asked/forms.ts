import type { CompiledServer } from '@prismapi/core/server/compile'
import { operationsPath } from '@prismapi/jsonapi/request/operation'
import {
  backMark,
  browsePath,
  createdMark,
  densityPath,
  manyMark,
  newMark,
  rowMark,
  rowVersion,
  sentMethod,
  sentSeal,
  sentToken,
  sentVersion,
  typeMark,
} from '@prismapi/pages/data/page-request'
import type { FuzzedEndpoint } from '@prismapi/testing/internal/kit/fuzz/endpoints'
import { isObject } from '@prismapi/testing/internal/kit/judges/judged'
import type { TestRequest } from '@prismapi/testing/internal/send'
import fc, { type Arbitrary } from 'fast-check'
import { browserAccept, markup } from './pages.ts'

// What pages send without their script: the documents of every endpoint that writes, as forms.

type Control = readonly [name: string, value: string]

const odd = [
  '',
  '0',
  '-1',
  markup,
  '\u0000',
  '__proto__',
  '[[]]',
  '{',
  '9'.repeat(40),
  '2024-01-01T00:00',
  'x,y',
  '//x',
]
const sites = ['same-origin', 'same-origin', 'same-origin', 'same-origin', 'same-origin', 'cross-site', 'none']
const types = ['application/x-www-form-urlencoded; charset=utf-8', 'multipart/form-data; boundary=x', 'text/plain']
const formType = 'application/x-www-form-urlencoded'

/** A form is sent to the same address as the document that it stands for. */
export function formEndpoints(changing: readonly FuzzedEndpoint[]): readonly FuzzedEndpoint[] {
  return changing.map(({ name, operation, requests }) => ({
    name,
    operation,
    requests: sentForms(
      requests.map(({ method, path, body }) => ({
        path: operation?.kind === 'create' ? `${path}?${newMark}=` : path,
        controls: [...controlsOf(body === undefined ? null : JSON.parse(body)), [sentMethod, method]],
      })),
    ),
  }))
}

interface Form {
  readonly path: string
  readonly controls: readonly Control[]
}

/** With controls that no page has, and headers that few browsers send. */
function sentForms(forms: Arbitrary<Form>): Arbitrary<TestRequest> {
  const name = fc.constantFrom(
    ...[
      sentMethod,
      sentSeal,
      sentToken,
      sentVersion,
      backMark,
      createdMark,
      typeMark,
      manyMark,
      rowMark,
      markup,
      '__proto__',
    ],
    ...['string!', 'number?', 'boolean', 'datetime', 'json', 'one? tags', 'many tags'].map((kind) => `${kind}:/data`),
    ...['json:/data/attributes/__proto__', 'many:/data/relationships/x/data', 'type:/data', '-was.string:/data'],
  )
  const stray = fc.array(fc.tuple(name, fc.constantFrom('POST', 'PATCH', 'DELETE', 'tags', '1', ...odd)), {
    maxLength: 2,
  })
  const type = fc.oneof({ weight: 30, arbitrary: fc.constant(formType) }, fc.constantFrom(...types))
  return fc
    .tuple(forms, fc.oneof(fc.constant([]), stray), fc.constantFrom(...sites), type)
    .map(([{ path, controls }, more, site, type]) => ({
      method: 'POST',
      path,
      headers: { Accept: browserAccept, 'Content-Type': type, 'Sec-Fetch-Site': site },
      body: encoded([...controls, ...more]),
    }))
}

const encoded = (controls: readonly Control[]): string =>
  new URLSearchParams(
    controls.map(([name, value]): [string, string] => [name.toWellFormed(), value.toWellFormed()]),
  ).toString()

/** What a form says in the place of a document. */
function controlsOf(document: unknown): readonly Control[] {
  if (!isObject(document)) return []
  const { data, meta } = document
  const inputs = Object.entries(isObject(meta) ? meta : {}).map(([name, value]) => controlOf(`/meta/${name}`, value))
  if (!isObject(data) || !isObject(data.attributes)) return [linkageControl('/data', data), ...inputs]
  const relationships = Object.entries(isObject(data.relationships) ? data.relationships : {})
  return [
    ...(data.id === undefined ? [] : [controlOf('/data/id', data.id)]),
    ...Object.entries(data.attributes).flatMap(([name, value]) => {
      const control = controlOf(`/data/attributes/${name}`, value)
      // A form that updates sends what its reader has touched.
      return [control, [`-was.${control[0]}`, 'x'] as const]
    }),
    ...relationships.map(([name, value]) =>
      linkageControl(`/data/relationships/${name}/data`, isObject(value) ? value.data : value),
    ),
    ...inputs,
  ]
}

function controlOf(pointer: string, value: unknown): Control {
  if (value === null) return [`string?:${pointer}`, '']
  if (typeof value === 'number' || typeof value === 'boolean') return [`${typeof value}:${pointer}`, String(value)]
  if (typeof value !== 'string') return [`json:${pointer}`, JSON.stringify(value)]
  return /^\d{4}-\d\d-\d\dT.*Z$/.test(value)
    ? [`datetime?:${pointer}`, value.slice(0, -1)]
    : [`string!:${pointer}`, value]
}

function linkageControl(pointer: string, linkage: unknown): Control {
  const all = [linkage ?? []].flat().filter(isObject)
  const type = String(all[0]?.type ?? 'tags')
  return [`${Array.isArray(linkage) ? 'many' : 'one?'} ${type}:${pointer}`, all.map(({ id }) => String(id)).join(',')]
}

interface ManyGrounds {
  readonly rows: ReadonlyMap<string, readonly string[]>
  readonly keep: ReadonlySet<string>
  readonly token: string
}

/** Forms that belong to no type: about many rows, signing in and out, and how close rows stand. */
export function otherForms({ basePath, schemas, supportedExtensions }: CompiledServer, grounds: ManyGrounds) {
  const form = (name: string, path: string, controls: Arbitrary<readonly Control[]>): FuzzedEndpoint => ({
    name: `form of ${name}`,
    operation: null,
    requests: sentForms(controls.map((each) => ({ path: basePath + path, controls: each }))),
  })
  const back = fc.constantFrom(basePath, `${basePath}/posts?sort=id`, '//x', 'https://example.org', markup, '/')
  const token = fc.constantFrom(grounds.token, `Bearer ${grounds.token}`, 'Basic x', 'x'.repeat(4000), ...odd)
  return [
    ...(supportedExtensions.ext.length > 0
      ? [
          form(
            'many',
            operationsPath,
            fc.constantFrom(...schemas.byType.keys()).chain((type) => manyOf(type, grounds, back)),
          ),
        ]
      : []),
    form(
      'sign-in',
      `${browsePath}/sign-in`,
      token.chain((each) =>
        back.map((to): readonly Control[] => [
          ['token', each],
          ['back', to],
        ]),
      ),
    ),
    form(
      'sign-out',
      `${browsePath}/sign-out`,
      back.map((to): readonly Control[] => [['back', to]]),
    ),
    form(
      'density',
      densityPath,
      back.map((to): readonly Control[] => [
        ['density', 'compact'],
        ['back', to],
      ]),
    ),
  ]
}

function manyOf(type: string, { rows, keep }: ManyGrounds, back: Arbitrary<string>): Arbitrary<readonly Control[]> {
  const ids = [...(rows.get(type) ?? []), ...odd].filter((id) => !keep.has(`${type}/${id}`))
  const control = fc.constantFrom<Control>(
    ...(['name', 'title', 'slug', 'content', 'body', 'bio'] as const).map(
      (name): Control => [`string!:/data/attributes/${name}`, 'many'],
    ),
    ['boolean:/data/attributes/featured', 'true'],
    ['json:/data/attributes/rating', '{"set":1}'],
    ['one? users:/data/relationships/author/data', '3'],
  )
  return fc
    .tuple(
      fc.constantFrom('delete', 'change', 'change title', 'x'),
      fc.array(fc.constantFrom(...ids), { maxLength: 4 }),
      control,
      fc.constantFrom('W/"1"', '1', 'x'),
      back,
    )
    .map(([what, chosen, field, version, to]): readonly Control[] => [
      [manyMark, what],
      [typeMark, type],
      [backMark, to],
      field,
      ...chosen.flatMap((id, at): readonly Control[] => [
        [rowMark, id],
        ...(at === 3 ? [[rowVersion(id), version] as const] : []),
      ]),
    ])
}
