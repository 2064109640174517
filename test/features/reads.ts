import { say } from 'prismapi'
import {
  badParameter,
  eachOperation,
  type Feature,
  FeatureKey,
  headerRef,
  type IncomingRequest,
  onlyValue,
  type QueryParameter,
  sentValue,
  withHeaders,
  wrapStore,
} from 'prismapi/features'

const header = 'Database-Reads'
const counts = new WeakMap<IncomingRequest, number>()

const countReads: QueryParameter<boolean> = {
  name: 'countReads',
  parse(sent) {
    const value = onlyValue(sent)
    if (value === 'yes' || value === 'no') return value === 'yes'
    throw badParameter('countReads', say`Write countReads=yes or countReads=no.`)
  },
  openapi: { description: `Asks for \`${header}\`.`, schema: { type: 'string', enum: ['yes', 'no'] } },
}

/** Counts how often a request reads from the database. */
const reads: Feature = {
  compiled: {
    key: new FeatureKey('reads'),
    compile: () => true,
    parameters: () => [countReads],
    openapi: () => ({
      headers: { [header]: { description: 'How often the request read.', schema: { type: 'integer' } } },
      paths: (paths) => eachOperation(paths, (operation) => withHeaders(operation, { [header]: headerRef(header) })),
    }),
  },
  serve: () => () => ({
    around: (next) => async (call) => {
      await next(call)
      const isAsked = sentValue(countReads, call.at) === true
      if (isAsked && !call.koa.headerSent) call.koa.set(header, String(counts.get(call) ?? 0))
    },
    store: (store, call) =>
      wrapStore(store, {
        read(_plan, read) {
          counts.set(call, (counts.get(call) ?? 0) + 1)
          return read()
        },
      }),
    page: {
      resource: ({ html, schema, urlOf }) =>
        html`<p><a href="${urlOf(schema, { countReads: 'yes' })}">Count reads</a></p>`,
    },
  }),
  commands: {
    reads: () => ({
      usage: 'reads',
      summary: 'Says how to count what a request reads.',
      options: {},
      run: (_input, { say }) => say('curl -i "http://127.0.0.1:3000/api/v1/posts?countReads=yes"'),
    }),
  },
}

export default [reads]
