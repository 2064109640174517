export { default } from '../v1/user.schema.ts'
