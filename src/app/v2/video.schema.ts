export { default } from '../v1/video.schema.ts'
