// Preloaded by `prismapi.mjs` where Node reads no TypeScript. Behind tsx each import takes turns through a thread. So the large packages
// are loaded before it, and what packages/ import from themselves and from each other is the file that they name.
import '@prisma/client/runtime/client'
import 'yup'
import { register } from 'node:module'

// A proof of policies answers no request, and asks a database for `who` alone.
const [, main, command, what] = process.argv
const isProof = command === 'policies' || main?.endsWith('/packages/cli/src/policies/model-child.ts')
if (!isProof) await Promise.all([import('@koa/router'), import('koa')])
if (!isProof || what === 'who') await import('kysely')
await import('tsx')

const packages = new URL('../packages/', import.meta.url)
const hooks = `
const file = (url) => ({ url, format: 'module', shortCircuit: true })
export const resolve = (specifier, context, next) => {
  if (!context.parentURL?.startsWith('${packages}')) return next(specifier, context)
  if (/^[.].*[.]ts$/.test(specifier)) return file(new URL(specifier, context.parentURL).href)
  const [, name, path] = /^@prismapi[/](core|jsonapi|cli|live|openapi|pages|proof|sql)[/](.+)$/.exec(specifier) ?? []
  return name === undefined ? next(specifier, context) : file('${packages}' + name + '/src/' + path + '.ts')
}`

register(`data:text/javascript,${encodeURIComponent(hooks)}`)
