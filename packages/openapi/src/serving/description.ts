import type { Feature } from '@prismapi/core/api/feature'
import { compiledOpenApi } from '../compile-openapi.ts'
import { openApiPath } from '../server-paths.ts'
import { openApi } from './serve-document.ts'

/** The server describes itself to its callers, in an OpenAPI document. */
export const description: Feature = {
  compiled: compiledOpenApi,
  serve: () => () => ({ paths: (api) => new Map([[openApiPath, openApi(api)]]), describedAt: openApiPath }),
}
