export { default } from '../v1/profile.schema.ts'
