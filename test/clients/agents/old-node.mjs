import { register } from 'node:module'

// The suite imports `globSync` of Node 22 for a check that the tests do not run. Node 20 has none.
const hooks = `
const fs = 'data:text/javascript,' + encodeURIComponent("export * from 'node:fs'; export { default } from 'node:fs'; export const globSync = () => []")
export const resolve = (specifier, context, next) =>
  /^(node:)?fs$/.test(specifier) && context.parentURL?.includes('/conformance/dist/') ? { url: fs, shortCircuit: true } : next(specifier, context)
`
register(`data:text/javascript,${encodeURIComponent(hooks)}`)
