export type { PrismApi } from '@prismapi/core/api/create-api'
export * from './building-blocks.ts'
export { createApi } from './usual/create-api.ts'
