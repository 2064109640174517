export { default } from '../v1/comment.schema.ts'
