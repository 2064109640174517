import type { Feature } from '../../api/feature.ts'
import { openApiPath } from '../server-paths.ts'
import { openApi } from './serve-document.ts'

/** The server describes itself to its callers, in an OpenAPI document. */
export const description: Feature = {
  serve: () => () => ({ paths: (api) => new Map([[openApiPath, openApi(api)]]), describedAt: openApiPath }),
}
