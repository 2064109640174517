// Preloaded by `prismapi.mjs` where Node reads no TypeScript. Behind tsx each import takes turns through a thread. So the large packages
// are loaded before it, and what src/ imports from itself is the file that it names.
import '@koa/router'
import '@prisma/client/runtime/client'
import 'koa'
import 'kysely'
import 'yup'
import 'tsx'
import { register } from 'node:module'

const hooks = `
export const resolve = (specifier, context, next) =>
  /^[.].*[.]ts$/.test(specifier) && context.parentURL?.startsWith('${new URL('../src/', import.meta.url)}')
    ? { url: new URL(specifier, context.parentURL).href, format: 'module', shortCircuit: true }
    : next(specifier, context)`

register(`data:text/javascript,${encodeURIComponent(hooks)}`)
