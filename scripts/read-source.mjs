// Preloaded by `prismapi.mjs` where Node reads no TypeScript. Behind tsx each import takes turns through a thread. So the large packages
// are loaded before it, and what src/ imports from itself is the file that it names.
import '@prisma/client/runtime/client'
import 'yup'
import { register } from 'node:module'

// A proof of policies answers no request, and asks a database for `who` alone.
const [, main, command, what] = process.argv
const isProof = command === 'policies' || main?.endsWith('/src/cli/policies/model-child.ts')
if (!isProof) await Promise.all([import('@koa/router'), import('koa')])
if (!isProof || what === 'who') await import('kysely')
await import('tsx')

const hooks = `
export const resolve = (specifier, context, next) =>
  /^[.].*[.]ts$/.test(specifier) && context.parentURL?.startsWith('${new URL('../src/', import.meta.url)}')
    ? { url: new URL(specifier, context.parentURL).href, format: 'module', shortCircuit: true }
    : next(specifier, context)`

register(`data:text/javascript,${encodeURIComponent(hooks)}`)
