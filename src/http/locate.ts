import { atomicExtension } from '../document/profiles.ts'
import { findRoute, operationOf, operationsPath } from '../request/routes.ts'
import { isReadable } from './request/request-url.ts'
import { ownPaths } from './root.ts'
import type { HttpStage } from './stage.ts'

/** Finds out what a path is about. It refuses nothing: what is wrong with it is told in its time. */
export const locate: HttpStage = (next, api) => {
  const { basePath, schemas, supportedExtensions } = api.server
  const pages = ownPaths(api)
  const isAtomic = supportedExtensions.ext.includes(atomicExtension)
  return (call) => {
    const { koa } = call
    if (!isReadable(koa)) return next(call)
    const path = koa.path.slice(basePath.length).replace(/\/$/, '')
    call.path = path
    call.page = pages.get(path) ?? null
    call.isAtomic = isAtomic && path === operationsPath
    call.route = call.page || call.isAtomic ? null : findRoute(schemas, path)
    call.operation = call.route && operationOf(call.route, koa.method)
    return next(call)
  }
}
