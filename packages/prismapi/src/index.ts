export * from './building-blocks.ts'
export { createApi, type PrismApi } from './usual/create-api.ts'
