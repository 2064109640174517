export { createApi, type PrismApi } from './api/create-api.ts'
export * from './building-blocks.ts'
