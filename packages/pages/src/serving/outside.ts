import type { UnansweredParts } from '@prismapi/core/api/feature'
import type { CompiledServer } from '@prismapi/core/server/compile'
import { english } from '@prismapi/jsonapi/document/text'
import type { Middleware } from 'koa'
import { titleOf } from '../compile-pages.ts'
import { layout } from '../frame/layout.ts'
import { html } from '../html/html.ts'
import { page as words } from '../texts/reading.ts'
import { prefersHtml, redirect, respondHtml } from './html.ts'

/**
 * What browsers get outside of all servers: at `/`, and where the base paths of servers begin, the way to each that has
 * pages; a page for all else that is not there. Everybody else gets JSON:API.
 */
export const outside =
  (isLinked: (server: CompiledServer) => boolean) =>
  ({ servers, languageOf }: UnansweredParts): Middleware => {
    const linked = servers.filter(isLinked)
    const [first] = linked
    return async (koa, next) => {
      const isReading = koa.method === 'GET' || koa.method === 'HEAD'
      if (!first || !isReading || !prefersHtml(koa.get('Accept'))) return next()
      const above = `${koa.path.replace(/\/+$/, '')}/`
      const isAbove = linked.some(({ basePath }) => basePath.startsWith(above))
      if (isAbove && linked.length === 1) return redirect(koa, first.basePath)
      const status = isAbove ? 200 : 404
      const page = {
        server: first,
        title: isAbove ? words.map : words.error(404),
        content: html`<ul class="plain links">${linked.map((server) => html`<li><a href="${server.basePath}">${titleOf(server)}</a> <small>${server.name}</small></li>`)}</ul>`,
        reader: { user: undefined, seal: null, back: first.basePath, servers: linked },
        api: null,
      }
      await respondHtml(koa, status, layout(languageOf?.(koa) ?? english, page))
    }
  }
