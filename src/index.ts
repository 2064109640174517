export type { PrismApi } from './api/create-api.ts'
export * from './building-blocks.ts'
export { createApi } from './usual/create-api.ts'
