import { methodLine } from '../source.ts'

const methods = [
  ['viewAny', 'GET /type', false],
  ['create', 'POST /type', false],
  ['view', 'GET /type/id', true],
  ['update', 'PATCH /type/id', true],
  ['delete', 'DELETE /type/id', true],
  ['viewRelated', 'GET /type/id/relation', true],
  ['viewRelationship', 'GET /type/id/relationships/relation', true],
  ['updateRelationship', 'PATCH /type/id/relationships/relation', true],
  ['attach', 'POST /type/id/relationships/relation', true],
  ['detach', 'DELETE /type/id/relationships/relation', true],
] as const

/** An authorizer that changes nothing yet: every method asks the policy. */
export const authorizerTemplate = (
  name: string,
  model: string | null,
): string => `import { ${imports(model)} } from 'prismapi'

/**
 * ${purpose(model)}
 * As it was generated, it still asks the policy for everything.
 */
export default class ${name}Authorizer extends Authorizer${model ? `<'${model}'>` : ''} {
${methods.map((method) => renderMethod(method, model)).join('\n')}}
`

const purpose = (model: string | null): string =>
  model ? `Decides on ${model} instead of its policy.` : 'Decides instead of the policies, where a server registers it.'

const imports = (model: string | null): string =>
  [
    'type AuthorizationRequest',
    'Authorizer',
    ...(model ? [] : ['type ModelName']),
    'type PolicyAnswer',
    'type RowOf',
  ].join(', ')

function renderMethod([name, route, hasRow]: (typeof methods)[number], model: string | null): string {
  const row = hasRow ? [`_row: RowOf<${model ? `'${model}'` : 'ModelName'}>`] : []
  return `  /** ${route} */
${methodLine(name, ['request: AuthorizationRequest', ...row], ': PolicyAnswer')}
    return request.byPolicy()
  }
`
}
