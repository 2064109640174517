export { default } from '../v1/tag.schema.ts'
